// SPDX-License-Identifier: Apache-2.0
/** Waiting: who has nothing to do is woken by who changes that, in this process or another. */
package dev.slipring.waiting;
