// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

/**
 * The part of a run in which messages count, in seconds of the engine's clock. The run begins
 * earlier, and what is moved before {@code from} does not count.
 *
 * @param from its beginning
 * @param until its end, and the end of the run
 */
record Span(double from, double until) {

    double seconds() {
        return until - from;
    }
}
