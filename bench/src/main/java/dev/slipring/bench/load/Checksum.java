// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.BenchFailed;

import java.util.BitSet;
import java.util.List;

/** Whether what was delivered is what was pushed: as many messages, and the same bytes. */
public final class Checksum {

    private Checksum() {}

    /** Everything that was pushed must have been delivered to every stage. */
    public static void all(List<Source> sources, List<Tally> tallies) {
        long count = sources.stream().mapToLong(Source::count).sum();
        long sum = sources.stream().mapToLong(source -> source.sum(source.count())).sum();
        for (Tally tally : tallies) {
            compare(count, sum, tally);
        }
    }

    /** What was delivered must be some of what was pushed, each message once. */
    public static void some(Source source, Tally tally) {
        BitSet numbers = tally.numbers();
        if (numbers.length() > source.count()) {
            throw new BenchFailed("delivered a message that was not pushed");
        }
        long sum = numbers.stream().mapToLong(source::hash).sum();
        compare(numbers.cardinality(), sum, tally);
    }

    private static void compare(long count, long sum, Tally tally) {
        if (tally.count() != count) {
            throw new BenchFailed("pushed " + count + " messages, delivered " + tally.count());
        }
        if (tally.sum() != sum) {
            throw new BenchFailed(
                    "of "
                            + count
                            + " messages the checksum is "
                            + Long.toHexString(sum)
                            + " as pushed and "
                            + Long.toHexString(tally.sum())
                            + " as delivered");
        }
    }
}
