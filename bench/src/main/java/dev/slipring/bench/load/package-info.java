// SPDX-License-Identifier: Apache-2.0
/**
 * What is pushed through a queue under test, how it is counted and checked, and the threads that
 * push and take.
 */
package dev.slipring.bench.load;
