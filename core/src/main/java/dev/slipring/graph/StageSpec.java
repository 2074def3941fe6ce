// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a stage is declared to be: a named group of workers that must see every message once.
 *
 * @param name see {@link Names}
 * @param mode pool (the default) or ordered
 * @param lease how long a claim lasts unless it is extended; 1 millisecond to 24 hours
 * @param tries after how many attempts a message is dead; 1 to 1,000,000
 * @param backoff how long a failed message waits
 * @param keep how many messages set aside or dead the stage may hold before it stops claiming. It
 *     also stops when they have as many bytes as the ring may hold; these bytes come on top of the
 *     ring's own. Both are checked before a claim, so one claim of each worker may exceed them
 */
public record StageSpec(
        String name, Mode mode, Duration lease, int tries, Backoff backoff, long keep)
        implements Graph {

    /** Thirty seconds. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** Five attempts. */
    public static final int DEFAULT_TRIES = 5;

    /** A hundred thousand messages set aside or dead. */
    public static final long DEFAULT_KEEP = 100_000;

    public StageSpec {
        Names.check("stage", name);
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(backoff, "backoff");
        if (lease.compareTo(Duration.ofMillis(1)) < 0 || lease.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "stage '"
                            + name
                            + "': a lease of "
                            + seconds(lease)
                            + " s is not allowed; use 1 ms to 24 hours");
        }
        lease = Duration.ofMillis(lease.toMillis());
        if (tries < 1 || tries > 1_000_000) {
            throw new IllegalArgumentException(
                    "stage '"
                            + name
                            + "': "
                            + tries
                            + " tries are not allowed; use 1 to 1,000,000");
        }
        if (keep < 1) {
            throw new IllegalArgumentException(
                    "stage '"
                            + name
                            + "': a limit of "
                            + keep
                            + " messages set aside or dead; use 1 or more");
        }
    }

    /** A pool stage with the defaults. */
    public static StageSpec named(String name) {
        return new StageSpec(
                name, Mode.POOL, DEFAULT_LEASE, DEFAULT_TRIES, Backoff.DEFAULT, DEFAULT_KEEP);
    }

    /** This stage, ordered: its messages are handled in order, one worker in a lane at a time. */
    public StageSpec ordered() {
        return new StageSpec(name, Mode.ORDERED, lease, tries, backoff, keep);
    }

    /** This stage with a lease of 1 millisecond to 24 hours, in whole milliseconds. */
    public StageSpec lease(Duration newLease) {
        return new StageSpec(name, mode, newLease, tries, backoff, keep);
    }

    /** This stage with another number of attempts, 1 to 1,000,000. */
    public StageSpec tries(int newTries) {
        return new StageSpec(name, mode, lease, newTries, backoff, keep);
    }

    /**
     * This stage with a back-off that doubles from the first wait to the longest, see {@link
     * Backoff}.
     */
    public StageSpec backoff(Duration first, Duration most) {
        return new StageSpec(name, mode, lease, tries, new Backoff(first, most), keep);
    }

    /** This stage with another limit for messages set aside or dead, 1 or more. */
    public StageSpec keep(long newKeep) {
        return new StageSpec(name, mode, lease, tries, backoff, newKeep);
    }

    @Override
    public Set<String> heads() {
        return Set.of(name);
    }

    @Override
    public Set<String> tails() {
        return Set.of(name);
    }

    @Override
    public List<StageSpec> stages() {
        return List.of(this);
    }

    @Override
    public Map<String, Set<String>> edges() {
        return Map.of();
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.getSeconds())
                .add(BigDecimal.valueOf(time.getNano(), 9))
                .stripTrailingZeros()
                .toPlainString();
    }
}
