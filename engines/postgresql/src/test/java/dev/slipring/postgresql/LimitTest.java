// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Time limits that somebody has set for the server or the role. */
class LimitTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void statementsOfTenMilliseconds() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url())) {
            slipring.create(RingSpec.named("r"));
        }
        Set<String> said = ConcurrentHashMap.newKeySet();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        // On a slow machine nothing at all is done within ten milliseconds, so the limit grows.
        for (int limit = 10; said.isEmpty(); limit *= 2) {
            database.run("ALTER DATABASE " + database.name() + " SET statement_timeout = " + limit);
            pushWithin(said, seen);
        }
        database.run("ALTER DATABASE " + database.name() + " RESET statement_timeout");
        try (Slipring slipring = Slipring.open(database.url())) {
            Ring ring = slipring.ring("r");
            try (Workers workers = ring.stage().work(2, it -> seen.add(it.text()))) {
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
            }
            assertThat(said).isNotEmpty();
            assertThat(seen).isEqualTo(said);
            assertThat(ring.check()).isEmpty();
        }
    }

    private void pushWithin(Set<String> said, Set<String> seen) {
        try (Slipring slipring = Slipring.open(database.url());
                Workers workers = slipring.ring("r").stage().work(2, it -> seen.add(it.text()))) {
            for (int i = 0; i < 300; i++) {
                // Some messages are far too large for the time limit.
                String text = i + (i % 10 == 0 ? "x".repeat(8_000_000) : "");
                try {
                    slipring.ring("r").push(text);
                    said.add(text);
                } catch (StoreFailed e) {
                    assertThat(e).hasMessageContaining("statement_timeout");
                }
            }
        } catch (StoreFailed e) {
            assertThat(e).hasMessageContaining("statement_timeout");
        }
    }

    @Test
    void noConnectionIsLeft() throws SQLException {
        String role = "few_" + database.name();
        try (Slipring slipring = Slipring.open(database.url())) {
            slipring.create(RingSpec.named("r"));
        }
        database.run("CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 1");
        database.run("GRANT postgres TO " + role);
        String theirs = database.url().replace("postgres@", role + "@");
        try {
            try (Connection last = Server.connect(theirs)) {
                assertThat(last.isValid(5)).isTrue();
                assertThatThrownBy(() -> Slipring.open(theirs))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("no connection left");
            }
            try (Slipring slipring = Slipring.open(theirs)) {
                slipring.ring("r").push("x");
            }
            try (Slipring slipring = Slipring.open(database.url())) {
                assertThat(slipring.ring("r").info().pushed()).isEqualTo(1);
            }
        } finally {
            database.run("DROP ROLE " + role);
        }
    }

    @Test
    void whoHoldsTheSegmentsIsNamed() throws SQLException {
        List<Message> megabyte = Collections.nCopies(16, Message.of(new byte[65_536]));
        try (Slipring slipring = Slipring.open(database.url());
                Connection holder = database.connect()) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(1).bytes(16 << 20));
            holder.setAutoCommit(false);
            try (Workers workers = ring.stage().work(2, delivery -> {})) {
                // A machine that stalls may be late once, but not three times in a row.
                boolean isSo = false;
                for (int i = 0; i < 3 && !isSo; i++) {
                    int pid = readAll(holder);
                    String refusal = refusal(ring, megabyte);
                    holder.rollback();
                    isSo =
                            refusal.contains("process " + pid + " ")
                                    && refusal.matches("(?s).* for \\d+ s .*")
                                    && isBackAtOnce(ring, megabyte);
                }
                assertThat(isSo).as("the holder is named, and its end is the end of it").isTrue();
                assertThat(ring.drain(Duration.ofMinutes(2))).isTrue();
            }
            assertThat(ring.check()).isEmpty();
        }
    }

    private static String refusal(Ring ring, List<Message> messages) {
        while (true) {
            try {
                ring.pushAll(messages, Duration.ofSeconds(2));
            } catch (RingFull e) {
                return e.getMessage();
            }
        }
    }

    private static boolean isBackAtOnce(Ring ring, List<Message> messages) {
        long end = System.nanoTime();
        ring.pushAll(messages, Duration.ofSeconds(60));
        return System.nanoTime() - end < Duration.ofSeconds(5).toNanos();
    }

    /** Reads everything, as a dump does. */
    private static int readAll(Connection holder) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = holder.createStatement()) {
            try (var rows =
                    statement.executeQuery(
                            "SELECT oid::regclass FROM pg_class WHERE relkind = 'r'"
                                    + " AND relnamespace = 'slipring'::regnamespace")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            for (String table : tables) {
                statement.execute("SELECT count(*) FROM " + table);
            }
            try (var row = statement.executeQuery("SELECT pg_backend_pid()")) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
