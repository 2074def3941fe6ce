// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import dev.slipring.ManualClock;
import dev.slipring.engine.Store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Where steps are made.
 *
 * @param stores one database, opened once or several times
 * @param clock the stores' clock; null if the test cannot move it
 * @param connection a connection to the same database, without auto-commit; null if the stores
 *     cannot join a caller's transaction
 */
public record Setting(List<Store> stores, ManualClock clock, Connection connection) {

    /** How long the leases are that are not to run out unless the clock is moved. */
    Duration lease() {
        return clock == null ? Duration.ofMinutes(10) : Duration.ofMillis(100);
    }

    /** The time, for the oracle: it stands still where nobody moves it. */
    long now() {
        return clock == null ? 0 : clock.millis();
    }

    /** Lets time pass: the clock's, or else that of everybody. */
    void pass(long millis) {
        if (clock != null) {
            clock.advance(Duration.ofMillis(millis));
            return;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Does something in a transaction of a caller's, and commits it or rolls it back. */
    <T> T joined(Store store, boolean commits, Function<Store, T> work) {
        try {
            boolean done = false;
            try {
                T result = work.apply(store.join(connection));
                done = commits;
                return result;
            } finally {
                if (done) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            throw new AssertionError("the caller's transaction failed", e);
        }
    }
}
