// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A lane's own share of room spares looks at the other lanes, and never lets the ring overflow. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerRoom {

    private static final int LANES = 4;
    private static final int CAPACITY = 1_600;

    /** The share that each of four lanes is given of a capacity of 1,600 messages. */
    private static final int SHARE = 100;

    private static final long PRODUCER = 7;

    @RegisterExtension private final RunningServer server;

    private final AtomicLong numbers = new AtomicLong();

    ServerRoom(ServerFiles files) {
        server = new RunningServer(files);
    }

    /** What two processes do, each with what it remembers of the lanes' front ends. */
    @FunctionalInterface
    private interface Deeds {
        void run(String database, Slipring one, Slipring other) throws Exception;
    }

    /** Runs it with a ring in a database of its own, whose shape both processes know. */
    private void withTwo(RingSpec spec, Deeds deeds) throws Exception {
        String database = server.get().newDatabase();
        String url = server.get().url(database);
        try (Slipring one = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            one.create(spec).info();
            other.ring("room").info();
            deeds.run(database, one, other);
        }
    }

    private static RingSpec spec() {
        return RingSpec.named("room").lanes(LANES).messages(CAPACITY);
    }

    /** Pushes this many messages as one slot. */
    private void push(Slipring by, int lane, int count) {
        by.store().push("room", List.of(slot(lane, numbers.incrementAndGet(), count)));
    }

    private static Slot slot(int lane, long number, int count) {
        return new Slot(lane, PRODUCER, number, count, SlotCodec.encode(messages(count)));
    }

    private static List<Message> messages(int count) {
        return IntStream.range(0, count).mapToObj(i -> Message.of("m" + i)).toList();
    }

    private long number(String database, String query) throws SQLException {
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private long room(String database, int lane) throws SQLException {
        return number(database, "SELECT room FROM slipring_lane WHERE lane = " + lane);
    }

    @Test
    void whoComesAgainGoesOnInTheRoomThatALookGave() throws Exception {
        withTwo(
                spec(),
                (database, one, other) -> {
                    push(one, 1, 1); // makes the cells
                    push(one, 1, 9);
                    push(one, 1, 10);
                    push(one, 1, 70);
                    assertThat(room(database, 1)).isEqualTo(1 + SHARE);
                    push(one, 1, 12);
                    assertThat(room(database, 1)).as("it was used up").isEqualTo(90 + SHARE);
                    push(other, 1, 1);
                    push(one, 1, 1);
                    assertThat(room(database, 1)).as("others were there").isEqualTo(103 + SHARE);
                    assertThat(one.ring("room").info().pushed()).isEqualTo(104);
                    assertThat(one.ring("room").check()).isEmpty();
                });
    }

    @Test
    void cellsThatAreNotReleasedAreNotWrittenOver() throws Exception {
        // So much room that the lane is only limited by its cells, 128 at first.
        withTwo(
                spec().messages(100_000),
                (database, one, other) -> {
                    for (int i = 0; i < 1_000; i++) {
                        push(one, 1, 1);
                    }
                    assertThat(other.ring("room").check()).isEmpty();
                    int claimed = 0;
                    Claim claim = other.ring("room").stage().claim(300, Duration.ZERO);
                    while (!claim.isEmpty()) {
                        claimed += claim.deliveries().size();
                        claim = claim.doneAndNext(300, Duration.ZERO);
                    }
                    assertThat(claimed).isEqualTo(1_000);
                });
    }

    @Test
    void aSmallerRingGivesNoRoomThatALargerOneHad() throws Exception {
        withTwo(
                spec(),
                (database, one, other) -> {
                    push(one, 1, 1);
                    push(one, 1, 1);
                    push(one, 1, 1);
                    other.ring("room").resize(4, 1 << 20);
                    push(one, 1, 1);
                    assertThatThrownBy(() -> push(one, 1, 1)).isInstanceOf(RingFull.class);
                    assertThat(held(database)).isEqualTo(4);
                });
    }

    @Test
    void whoHasAllLanesLeavesNoneRoomOfItsOwn() throws Exception {
        withTwo(
                spec(),
                (database, one, other) -> {
                    push(one, 1, 1);
                    push(one, 1, 1);
                    long number = numbers.incrementAndGet();
                    try (Connection caller = caller(database)) {
                        other.store()
                                .join(caller)
                                .push("room", List.of(slot(2, number, CAPACITY - 3)));
                        caller.commit();
                    }
                    assertThatThrownBy(() -> push(one, 1, 2)).isInstanceOf(RingFull.class);
                    push(one, 1, 1);
                    assertThat(held(database)).isEqualTo(CAPACITY);
                });
    }

    @Test
    void roomIsGivenWhereEveryLaneCouldHaveAsMuch() throws Exception {
        withTwo(
                spec(),
                (database, one, other) -> {
                    for (int i = 0; i < 13; i++) {
                        push(other, 3, SHARE - 1);
                    }
                    // There is room for the share of each single lane, but not for those of all.
                    for (int lane = 0; lane < LANES; lane++) {
                        push(one, lane, 1);
                        push(one, lane, 1);
                    }
                    for (int lane = 0; lane < LANES - 1; lane++) {
                        push(one, lane, SHARE - 2);
                    }
                    assertThatThrownBy(() -> push(one, LANES - 1, SHARE - 2))
                            .isInstanceOf(RingFull.class);
                    assertThat(held(database)).isLessThanOrEqualTo(CAPACITY);
                });
    }

    /**
     * Other processes do not see what a caller has pushed before the commit, and then all of it is
     * there at once.
     */
    @Test
    void whatACallerPushesInManyStepsLeavesRoomForNoOthers() throws Exception {
        withTwo(
                spec(),
                (database, one, other) -> {
                    try (Connection caller = caller(database)) {
                        pushByCaller(one, caller, SHARE);
                        for (int lane = 0; lane < LANES; lane++) {
                            push(other, lane, SHARE);
                        }
                        pushByCaller(one, caller, 5 * SHARE);
                        pushUntilKept(other);
                        caller.commit();
                    }
                    assertThat(held(database)).isLessThanOrEqualTo(CAPACITY);
                    fill(other, new Random(1));
                    assertThat(held(database)).isEqualTo(CAPACITY);
                    assertThat(one.ring("room").check()).isEmpty();
                });
    }

    private void pushByCaller(Slipring by, Connection caller, int count) {
        for (int i = 0; i < count; i++) {
            by.store()
                    .join(caller)
                    .push("room", List.of(new Slot(2, 0, 0, 1, SlotCodec.encode(messages(1)))));
        }
    }

    /** Pushes until it needs a lane that another transaction keeps. */
    private void pushUntilKept(Slipring by) {
        Set<Integer> kept = Set.of();
        while (kept.isEmpty()) {
            long number = numbers.incrementAndGet();
            kept = by.store().tryPush("room", List.of(slot(0, number, 40)), Duration.ofSeconds(1));
        }
    }

    @Test
    void whateverWayTheyPushTheyStayWithinTheCapacity() throws Exception {
        for (long seed = 1; seed <= 4; seed++) {
            String which = "seed " + seed;
            Random random = new Random(seed);
            withTwo(
                    spec(),
                    (database, one, other) -> {
                        try (Connection caller = caller(database)) {
                            for (int step = 0; step < 400; step++) {
                                step(random, one, other, caller);
                                assertThat(held(database)).as(which).isLessThanOrEqualTo(CAPACITY);
                            }
                        }
                        fill(one, random);
                        assertThat(held(database)).as(which).isEqualTo(CAPACITY);
                        assertThat(one.ring("room").check()).isEmpty();
                    });
        }
    }

    private Connection caller(String database) throws SQLException {
        Connection caller = server.get().connect(database);
        caller.setAutoCommit(false);
        return caller;
    }

    private long held(String database) throws SQLException {
        return number(
                database,
                "SELECT SUM(l.head - g.gate) FROM slipring_lane l JOIN slipring_gate g"
                        + " ON g.ring = l.ring AND g.lane = l.lane");
    }

    private void step(Random random, Slipring one, Slipring other, Connection caller)
            throws SQLException {
        int lane = random.nextInt(LANES);
        int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 40);
        try {
            switch (random.nextInt(12)) {
                case 0 -> {
                    Claim claim = one.ring("room").stage().claim(3 * count, Duration.ZERO);
                    claim.done();
                }
                case 1 -> {
                    long number = numbers.incrementAndGet();
                    one.store()
                            .push("room", List.of(slot(0, number, count), slot(3, number, count)));
                }
                case 2 -> {
                    other.ring("room").join(caller).push(messages(count).toArray(Message[]::new));
                    caller.commit();
                }
                case 3, 4, 5 -> push(other, lane, count);
                default -> push(one, lane, count);
            }
        } catch (RingFull full) {
            caller.rollback();
        }
    }

    private void fill(Slipring one, Random random) {
        try {
            while (true) {
                push(one, random.nextInt(LANES), 1);
            }
        } catch (RingFull full) {
            assertThat(full.freeMessages()).isZero();
        }
    }
}
