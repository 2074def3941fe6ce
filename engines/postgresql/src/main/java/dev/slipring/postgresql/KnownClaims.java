// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Ticket;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What this process knows of the claims that it made, for transactions whose snapshot is older than
 * the claim. Any thread.
 */
final class KnownClaims {

    private static final int MOST = 10_000;

    private final Map<Key, Known> known =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Known> eldest) {
                    return size() > MOST;
                }
            };

    /**
     * A claim.
     *
     * @param expires when its lease runs out at the earliest, in milliseconds since 1970 by the
     *     clock of the database
     * @param since the time of this machine ({@link System#nanoTime}) that this was known by
     */
    record Known(long expires, long since) {}

    private record Key(String ring, Ticket ticket) {}

    /** The claim was made; the database said when its lease runs out. */
    synchronized void keep(String ring, Ticket ticket, long expires) {
        known.put(new Key(ring, ticket), new Known(expires, System.nanoTime()));
    }

    /**
     * The claim was extended by a word that was said at a time or later. From the claim to the
     * word, the clock of the database has gone on by at least as much as this one.
     */
    synchronized void extend(String ring, Ticket ticket, long notBefore) {
        known.computeIfPresent(
                new Key(ring, ticket),
                (key, old) ->
                        new Known(
                                old.expires()
                                        + TimeUnit.NANOSECONDS.toMillis(notBefore - old.since()),
                                notBefore));
    }

    /** The claim is over. */
    synchronized void forget(String ring, Ticket ticket) {
        known.remove(new Key(ring, ticket));
    }

    /** What is known; null if nothing is. */
    synchronized Known of(String ring, Ticket ticket) {
        return known.get(new Key(ring, ticket));
    }
}
