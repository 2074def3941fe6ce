// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.Sink;

import java.util.BitSet;

/**
 * How many bodies were taken and the sum of their hashes, whatever their order. One thread adds;
 * any thread may read what was settled.
 */
public final class Tally implements Sink {

    private final BitSet numbers;
    private long taken;
    private long sum;
    private volatile long settled;

    /** A tally that only counts and adds up. */
    public Tally() {
        this(null);
    }

    private Tally(BitSet numbers) {
        this.numbers = numbers;
    }

    /** A tally that also remembers which bodies of a source were taken. */
    public static Tally remembering() {
        return new Tally(new BitSet());
    }

    @Override
    public void take(byte[] body, int length) {
        if (numbers != null) {
            numbers.set(Math.toIntExact(Source.before(Bodies.number(body))));
        }
        taken++;
        sum += Bodies.hash(body, length);
    }

    /** Counts what was taken so far as done. */
    public void settle() {
        settled = taken;
    }

    /**
     * Which bodies were taken; a body stands here as the number of those before it in its source.
     */
    BitSet numbers() {
        return numbers;
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
