// SPDX-License-Identifier: Apache-2.0
/**
 * Waiting: a thread that has nothing to do is woken by whoever changes that, in this process or
 * another.
 */
package dev.slipring.waiting;
