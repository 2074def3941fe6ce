// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Segments and the pages of the logs are emptied and used again. */
class ReuseTest {

    private static final List<Message> MEGABYTE =
            Collections.nCopies(16, Message.of(new byte[65_536]));

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Ring ring;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(database.url());
        ring = slipring.create(RingSpec.named("r").lanes(2).bytes(32 << 20));
    }

    @AfterEach
    void close() throws SQLException {
        slipring.close();
    }

    private void goRound(int megabytes) {
        for (int i = 0; i < megabytes; i++) {
            ring.pushAll(MEGABYTE);
            int got = 0;
            while (got < MEGABYTE.size()) {
                Claim claim = ring.stage().claim(1_000, Duration.ofSeconds(5));
                got += claim.deliveries().size();
                claim.done();
            }
        }
    }

    private long segmentBytes() throws SQLException {
        return database.number(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                        + " WHERE relname ~ '^slot_\\d+_\\d$' AND relkind = 'r'");
    }

    @Test
    void segmentsAreUsedAgain() throws SQLException {
        goRound(120);
        assertThat(database.number("SELECT last_value FROM slipring.turn_{ring}")).isGreaterThan(3);
        assertThat(segmentBytes()).isLessThan(80 << 20);
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aTransactionOfOthersDoesNotKeepThem() throws SQLException {
        try (Connection holder = database.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SELECT pg_current_xact_id()");
            goRound(80);
            assertThat(segmentBytes()).isLessThan(80 << 20);
            holder.rollback();
        }
    }

    @Test
    void pagesOfTheLogsAreUsedAgain() throws SQLException {
        goRound(2);
        ring.pushAll(MEGABYTE);
        database.number("SELECT setval('slipring.page', 1)");
        database.number("SELECT count(slipring.tidy('r'))");
        assertThat(database.number("SELECT pg_relation_size('slipring.strand_0')")).isZero();
        assertThat(database.number("SELECT count(*) FROM slipring.strand_1")).isPositive();
        assertThat(ring.check()).isEmpty();
        Claim claim = ring.stage().claim(1_000, Duration.ZERO);
        database.number("SELECT setval('slipring.page', 2)");
        database.number("SELECT count(slipring.tidy('r'))");
        assertThat(database.number("SELECT pg_relation_size('slipring.strand_1')")).isZero();
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aProducerIsKnownAfterItsSlotsAreGone() throws SQLException {
        goRound(80);
        assertThat(database.number("SELECT count(*) FROM slipring.producer")).isEqualTo(1);
    }
}
