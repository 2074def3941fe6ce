// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A worker's word on its claim, taken whole or refused whole.
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
     * @param error what went wrong, kept as text that every store takes: null as nothing, of more
     *     than 2,000 characters the first, no zero character, none that is half of a pair
     * @param retryMillis after how long to try again; negative: as the stage's back-off says
     */
    public record Failed(long position, String error, long retryMillis) {

        private static final int MOST = 2_000;

        public Failed {
            error = error == null ? "" : kept(error.replace("\0", ""));
        }

        private static String kept(String words) {
            String first = words.length() <= MOST ? words : words.substring(0, MOST) + "...";
            return new String(first.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
    }
}
