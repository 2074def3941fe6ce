// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Ticket;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What this process knows of the claims that it made, for transactions whose snapshot is older than
 * the claim. Any thread.
 */
final class Memory {

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
     * @param leaseMillis how long its lease lasts
     * @param expires when its lease runs out, in milliseconds since 1970 by this machine's clock
     */
    record Known(long leaseMillis, long expires) {}

    private record Key(String ring, Ticket ticket) {}

    /** The claim was made. */
    synchronized void keep(String ring, Ticket ticket, long leaseMillis) {
        known.put(new Key(ring, ticket), known(leaseMillis));
    }

    /** The claim was extended. */
    synchronized void extend(String ring, Ticket ticket) {
        known.computeIfPresent(new Key(ring, ticket), (key, old) -> known(old.leaseMillis()));
    }

    private static Known known(long leaseMillis) {
        return new Known(leaseMillis, System.currentTimeMillis() + leaseMillis);
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
