// SPDX-License-Identifier: Apache-2.0
/** Where a tortured store lives, and what can be done to that place: a class for each engine. */
package dev.slipring.torture.arena;
