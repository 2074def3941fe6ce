// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.Sink;

import java.util.BitSet;

/**
 * How many bodies there were and the sum of their hashes, whatever their order. One thread adds,
 * any may read what was settled.
 */
public final class Tally implements Sink {

    private final BitSet numbers;
    private long taken;
    private long sum;
    private volatile long settled;

    /** One that only counts. */
    public Tally() {
        this(null);
    }

    private Tally(BitSet numbers) {
        this.numbers = numbers;
    }

    /** One that remembers which bodies of a source there were. */
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

    /** What was taken so far is done. */
    public void settle() {
        settled = taken;
    }

    /** Which bodies were taken, by how many came before each. */
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
