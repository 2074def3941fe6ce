// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.Sink;

/**
 * How many bodies there were and the sum of their hashes, whatever their order. One thread adds,
 * any may read what was settled.
 */
public final class Tally implements Sink {

    private long taken;
    private long sum;
    private volatile long settled;

    @Override
    public void take(byte[] body, int length) {
        taken++;
        sum += Bodies.hash(body, length);
    }

    /** What was taken so far is done. */
    public void settle() {
        settled = taken;
    }

    /** How many are done. */
    public long count() {
        return settled;
    }

    /** The sum of the hashes of all that are done. */
    public long sum() {
        long seen = settled;
        if (seen != taken) {
            throw new IllegalStateException("taken " + taken + ", done " + seen);
        }
        return sum;
    }
}
