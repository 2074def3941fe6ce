// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * A worker's word on its claim, taken whole or refused whole. It names no message twice.
 *
 * @param ticket the claim
 * @param done the positions that are done
 * @param failed the positions that failed
 * @param rest what becomes of those that are not mentioned
 */
public record Settlement(Ticket ticket, List<Long> done, List<Failed> failed, Rest rest) {

    public Settlement {
        Objects.requireNonNull(ticket, "ticket");
        Objects.requireNonNull(rest, "rest");
        done = List.copyOf(done);
        failed = List.copyOf(failed);
        checkOnce(done, failed);
    }

    private static void checkOnce(List<Long> done, List<Failed> failed) {
        long[] named =
                LongStream.concat(
                                done.stream().mapToLong(Long::longValue),
                                failed.stream().mapToLong(Failed::position))
                        .sorted()
                        .toArray();
        for (int i = 1; i < named.length; i++) {
            if (named[i] == named[i - 1]) {
                throw new IllegalArgumentException(
                        "the message at position " + named[i] + " is named twice in one word");
            }
        }
    }

    /** Whether it says that a whole claim is done, of messages that had not been set aside. */
    public boolean isPlain() {
        return rest == Rest.DONE && done.isEmpty() && failed.isEmpty() && !ticket.retry();
    }

    /** What becomes of the messages of a claim that a settlement does not mention. */
    public enum Rest {
        /** They are done too. */
        DONE,
        /** They stay with the worker, to the end of the lease as it is. */
        KEEP,
        /** They stay with the worker, for a whole lease from now. */
        EXTEND,
        /** They go back, at once and without counting as an attempt. */
        GIVE_BACK
    }

    /**
     * A message that failed.
     *
     * @param position its position
     * @param error what went wrong, kept as text that every store takes: null as an empty text, cut
     *     to 2,000 characters, without NUL and without unpaired surrogates
     * @param retryMillis after how long to try again; negative: as the stage's back-off says
     */
    public record Failed(long position, String error, long retryMillis) {

        private static final int MOST = 2_000;

        public Failed {
            error = error == null ? "" : kept(error.replace("\0", ""));
        }

        /** One that is tried again as the stage's back-off says. */
        public Failed(long position, String error) {
            this(position, error, -1);
        }

        private static String kept(String words) {
            String first = words.length() <= MOST ? words : words.substring(0, MOST - 3) + "...";
            return new String(first.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
    }
}
