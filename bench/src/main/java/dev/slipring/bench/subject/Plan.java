// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/**
 * What a queue has to be made for.
 *
 * @param capacity how many messages may wait; a push beyond it waits
 * @param stages how many stages are to see every message
 */
public record Plan(long capacity, int stages) {}
