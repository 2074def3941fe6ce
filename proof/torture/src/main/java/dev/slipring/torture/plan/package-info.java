// SPDX-License-Identifier: Apache-2.0
/** What is done to the processes and to their store, and when. */
package dev.slipring.torture.plan;
