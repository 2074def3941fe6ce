// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Slipring;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

/** Pushes that are rolled back again and again, of which nobody empties anything meanwhile. */
class OvergrownTest {

    private static final long MIB = 1 << 20;

    /** By the page, the most that a ring of 16 MiB and 1,000 messages takes. */
    private static final long MOST = (8 * 16 + 3 * 16 + 1) * MIB;

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Statement client;

    @BeforeEach
    void rollBackUntilItIsRefused() throws SQLException {
        database.slipring();
        database.run("SELECT slipring.create('r', messages => 1000, bytes => 16 * 1024 * 1024)");
        client = database.other().createStatement();
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 30; i++) {
                                client.execute("BEGIN");
                                push(15_000_000);
                                client.execute("ROLLBACK");
                            }
                        })
                .hasMessageContaining("rolled back")
                .hasMessageContaining("slipring.tidy");
        client.execute("ROLLBACK");
    }

    private void push(int bytes) throws SQLException {
        client.execute("SELECT slipring.push('r', repeat('x', " + bytes + "))");
    }

    private long bytes() throws SQLException {
        return database.number("SELECT pg_relation_size('slipring.slot_{ring}_0')");
    }

    @Test
    void theDiskOfARingIsBoundedAndTidyFreesIt() throws SQLException {
        assertThat(bytes()).isBetween(MOST - 16 * MIB, MOST + 16 * MIB);
        // The lane has no credit of a push that was rolled back.
        assertThatThrownBy(() -> push(1_000)).hasMessageContaining("rolled back");
        client.execute("SELECT slipring.tidy('r')");
        push(15_000_000);
        assertThat(bytes()).isZero();
    }

    /** Whoever works with Java empties it by himself. */
    @Test
    void aPushFromJavaWaitsForTheRoom() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url())) {
            slipring.ring("r").push(Message.of("m"));
            // There is room as soon as another segment is used; then the full one is emptied.
            String isEmpty = "SELECT (pg_relation_size('slipring.slot_{ring}_0') = 0)::int";
            assertThat(database.await(isEmpty, 1, new CompletableFuture<>())).isOne();
        }
    }
}
