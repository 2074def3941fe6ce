// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

/** A slot: a value, and what a worker computed of it. */
final class Event {

    long value;
    double result;
}
