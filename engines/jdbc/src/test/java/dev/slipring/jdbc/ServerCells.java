// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lane grows by pieces, each of which a push makes in a moment, and keeps no more pieces than it
 * needs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerCells {

    private static final int MOST = 16_384;

    @RegisterExtension private final RunningServer server;

    ServerCells(ServerFiles files) {
        server = new RunningServer(files);
    }

    private static RingSpec spec(long messages) {
        return RingSpec.named("cells").lanes(1).messages(messages);
    }

    /** Pushes this many single messages, numbered, in one transaction. */
    private static void push(Store store, int from, int count) {
        List<Slot> slots = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            slots.add(new Slot(0, 0, 0, 1, SlotCodec.encode(List.of(Message.of("" + i)))));
        }
        store.push("cells", slots);
    }

    /** Claims and finishes this many messages, and checks that they are the next ones. */
    private static void take(Ring ring, int from, int count) {
        int next = from;
        while (next < from + count) {
            Claim claim = ring.stage().claim(Math.min(1_000, from + count - next), Duration.ZERO);
            assertThat(claim.isEmpty()).as("nothing at %d", next).isFalse();
            for (Delivery delivery : claim.deliveries()) {
                assertThat(delivery.text()).isEqualTo("" + next++);
            }
            claim.done();
        }
    }

    private List<Extent> extents(String database) throws Exception {
        try (Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT extents FROM slipring_lane")) {
            row.next();
            return Extent.parse(row.getString(1));
        }
    }

    /**
     * Dropping a ring does not wait for rows of others. To delete most of a table, MariaDB would
     * read all of it, and wait for every row.
     */
    @Test
    @Timeout(50)
    void whoDropsARingWaitsForNoOthersRows() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection open = server.get().connect(database)) {
            slipring.create(RingSpec.named("large").lanes(8)).push("x");
            Ring small = slipring.create(RingSpec.named("small").lanes(2));
            open.setAutoCommit(false);
            small.join(open).push(Message.of("y"));
            slipring.drop("large");
            open.commit();
            assertThat(slipring.rings()).containsExactly("small");
            assertThat(small.check()).isEmpty();
            assertThat(small.info().heldMessages()).isEqualTo(1);
        }
    }

    @Test
    void aPieceIsNeverMoreThanAPushMakesInAMoment() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(spec(1_000_000));
            for (int i = 0; i < 60_000; i += 1_000) {
                push(slipring.store(), i, 1_000);
            }
            assertThat(extents(database))
                    .hasSizeGreaterThan(6)
                    .extracting(Extent::cells)
                    .allMatch(cells -> cells <= MOST);
            take(ring, 0, 50_000);
            for (int i = 60_000; i < 60_200; i++) {
                push(slipring.store(), i, 1);
            }
            assertThat(ring.check()).isEmpty();
            take(ring, 50_000, 10_200);
        }
    }

    @Test
    void aPieceIsNeverMoreThanTheRingHolds() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(spec(1_000));
            for (int i = 0; i < 1_000; i++) {
                push(slipring.store(), i, 1);
            }
            assertThat(extents(database)).extracting(Extent::cells).allMatch(n -> n <= 1_000);
            for (int lap = 1; lap < 4; lap++) {
                take(ring, 1_000 * (lap - 1), 1_000);
                for (int i = 0; i < 1_000; i += 100) {
                    push(slipring.store(), 1_000 * lap + i, 100);
                }
            }
            assertThat(extents(database)).hasSize(1);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A caller's transaction removes no cells, so it uses released ones again. */
    @Test
    void aLaneThatOnlyCallersPushToHasNoMorePiecesThanItNeeds() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring ring = slipring.create(spec(100_000));
            caller.setAutoCommit(false);
            int taken = 0;
            for (int i = 0; i < 120_000; i += 2_000) {
                push(slipring.store().join(caller), i, 2_000);
                caller.commit();
                if (i >= 20_000) {
                    take(ring, taken, 2_000);
                    taken += 2_000;
                }
            }
            assertThat(extents(database)).hasSizeLessThan(9);
            assertThat(ring.check()).isEmpty();
            take(ring, taken, 120_000 - taken);
        }
    }
}
