// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingBroken;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Lanes;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.kit.Keys;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows that somebody has deleted: messages that are still there are handed out, and lost ones are
 * named.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerLosses {

    private static final int LANES = 4;
    private static final int MESSAGES = 40;

    @RegisterExtension private final RunningServer server;

    private String database;
    private Slipring slipring;
    private Ring ring;

    ServerLosses(ServerFiles files) {
        server = new RunningServer(files);
    }

    @BeforeEach
    void create() throws Exception {
        database = server.get().newDatabase();
        slipring = Slipring.open(server.get().url(database));
    }

    @AfterEach
    void close() {
        slipring.close();
    }

    private void create(String mode) {
        StageSpec stage = StageSpec.named("main").lease(Duration.ofMillis(500));
        ring =
                slipring.create(
                        RingSpec.named("r")
                                .lanes(LANES)
                                .graph(mode.equals("pool") ? stage : stage.ordered()));
    }

    /** Pushes to all lanes, a slot for each message, and then forgets what it has pushed. */
    private void push(int bytes) {
        for (int i = 0; i < MESSAGES; i++) {
            ring.push(Message.of(i + "-" + "x".repeat(bytes)).key("key" + i));
        }
        slipring.close();
        slipring = Slipring.open(server.get().url(database));
        ring = slipring.ring("r");
    }

    private int run(String sql) throws Exception {
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static String number(Delivery delivery) {
        String text = delivery.text();
        return text.substring(0, text.indexOf('-'));
    }

    /**
     * Claims until an error names what is lost; by then all other messages have been claimed, and
     * the last word was recorded.
     */
    private List<String> takeUpTo(String words) {
        List<String> got = new ArrayList<>();
        assertThatThrownBy(
                        () -> {
                            Claim claim = ring.stage().claim(3, Duration.ofSeconds(20));
                            while (true) {
                                claim.deliveries().forEach(it -> got.add(number(it)));
                                claim = claim.doneAndNext(3, Duration.ofSeconds(20));
                            }
                        })
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("ring 'r', lane 1: the messages from ")
                .hasMessageContaining(words);
        assertThat(ring.info().stages().get(0).lag()).isEqualTo(ofLane(1).size());
        return got;
    }

    private static String[] allBut(List<String> lost) {
        return IntStream.range(0, MESSAGES)
                .mapToObj(String::valueOf)
                .filter(number -> !lost.contains(number))
                .toArray(String[]::new);
    }

    /** The messages of a lane, as they were pushed. */
    private List<String> ofLane(int lane) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            if (Lanes.of("key" + i, LANES) == lane) {
                found.add("" + i);
            }
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"pool", "ordered"})
    void otherLanesGoOnBesideALostSlot(String mode) throws Exception {
        create(mode);
        push(10);
        assertThat(
                        run(
                                "DELETE FROM slipring_slot WHERE lane = 1 AND first_position = 0"
                                        + " AND messages > 0"))
                .isEqualTo(1);
        assertThat(takeUpTo("from 0 to ")).containsExactlyInAnyOrder(allBut(ofLane(1)));
        assertThat(ring.check()).contains("lane 1: the messages from 0 to 0 are not there");
        assertThat(ring.purge()).isPositive();
        assertThat(ring.info().heldBytes()).isZero();
        assertThat(ring.check()).isEmpty();
        ring.push("after it");
        assertThat(ring.stage().claim(1, Duration.ofSeconds(20)).deliveries()).hasSize(1);
    }

    /** A free cell whose row is gone is made anew by the push that needs it. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aCallerPushesIntoLostCells(int isolation) throws Exception {
        create("pool");
        assertThat(run("DELETE FROM slipring_slot")).isPositive();
        try (Connection caller = server.get().connect(database)) {
            caller.setTransactionIsolation(isolation);
            caller.setAutoCommit(false);
            ring.join(caller).push(to(1));
            ring.join(caller).push(to(1));
            caller.commit();
        }
        assertThat(ring.stage().claim(9, Duration.ofSeconds(20)).deliveries()).hasSize(2);
        assertThat(ring.check()).isEmpty();
    }

    /** Messages that were handed out before, and would be handed out again, are lost as well. */
    @ParameterizedTest
    @ValueSource(strings = {"pool", "ordered"})
    void otherLanesGoOnBesideALostBody(String mode) throws Exception {
        create(mode);
        push(5_000);
        int lost = 0;
        for (int table = 0; table < Contents.TABLES; table++) {
            lost += run("DELETE FROM slipring_content_" + table + " WHERE lane = 1");
        }
        assertThat(lost).isEqualTo(ofLane(1).size());
        assertThat(takeUpTo("cannot be read")).containsExactlyInAnyOrder(allBut(ofLane(1)));
        assertThat(ring.info().stages().get(0).inHand()).isEmpty();
        assertThat(ring.check()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lane", "gate", "strand"})
    void rowsThatAreMissingAreNamed(String table) throws Exception {
        create("pool");
        push(10);
        ring.stage().claim(1, Duration.ZERO).done(); // later claims are calls of a procedure
        assertThat(run("DELETE FROM slipring_" + table + " WHERE lane = 2")).isEqualTo(1);
        names(table, this::takeAll);
        assertThat(ring.check())
                .singleElement()
                .asString()
                .startsWith("3 of 4 rows of slipring_" + table + " are there; ");
        names(table, ring::info);
        names(table, ring::purge);
        if (!table.equals("strand")) {
            names(table, () -> ring.pushAll(List.of(to(1), to(3))));
            ring.push(to(1)); // a single push is a call, and its lane is whole
        }
        if (table.equals("lane")) {
            names(table, () -> ring.push(to(2)));
        }
        isDroppedAndMadeAnew();
    }

    /** If a table has no row of the ring left, it looks as if the ring had been made anew. */
    @ParameterizedTest
    @ValueSource(strings = {"lane", "gate"})
    void allRowsThatAreMissingAreNamed(String table) throws Exception {
        create("pool");
        push(10);
        assertThat(run("DELETE FROM slipring_" + table)).isEqualTo(LANES);
        List<ThrowingCallable> calls =
                List.of(ring::info, this::takeAll, () -> ring.push(to(1)), ring::purge);
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(RingBroken.class)
                    .hasMessageContaining("0 of 4 rows of slipring_" + table + " are there");
        }
        isDroppedAndMadeAnew();
    }

    /** What a call goes by is looked at too: where it begins to look, and where slots stand. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    UPDATE slipring_slot SET turn = 1 WHERE lane = 1 AND turn = 2 | has the turn 1
                    UPDATE slipring_slot SET turn = 0 WHERE lane = 1 AND turn = 2 | has the turn 0
                    UPDATE slipring_slot SET size = 5 WHERE lane = 1 AND turn = 0 | to have 5 bytes
                    UPDATE slipring_lane SET turn = turn + 5 WHERE lane = 1 | its slots end
                    INSERT INTO slipring_gate SELECT id,9,0,0,0,0,0 FROM slipring_ring | gate has 1
                    UPDATE slipring_strand SET lane = 9 WHERE lane = 1 | 3 of 4 rows of
                    UPDATE slipring_lane SET extents = '0:0' WHERE lane = 1 | extents is '0:0'
                    UPDATE slipring_lane SET extents = '' WHERE lane = 1 | extents is ''
                    """)
    void whatACallGoesByIsNamed(String damage, String words) throws Exception {
        create("pool");
        push(10);
        assertThat(run(damage)).isEqualTo(1);
        List<String> found = new ArrayList<>();
        try {
            found.addAll(ring.check());
        } catch (StoreFailed e) {
            found.add(e.getMessage());
        }
        assertThat(found).anyMatch(each -> each.contains(words));
    }

    /** A stage, or a claim of it, that begins to look behind its messages does not find them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoLooksElsewhereIsNamed(boolean inHand) throws Exception {
        ring = slipring.create(RingSpec.named("r").lanes(LANES));
        push(10);
        for (int lane = 0; lane < LANES; lane++) {
            assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        }
        if (inHand) {
            run("UPDATE slipring_strand SET claims = REPLACE(claims, ' 0 - ', ' 2 - ')");
        } else {
            run("UPDATE slipring_strand SET anchor_turn = 3");
            assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("the messages from 1 to 1 are not there");
        }
        assertThat(ring.check())
                .hasSize(LANES)
                .allMatch(words -> words.endsWith(" elsewhere; rewind the stage"));
        ring.stage().rewind(Start.OLDEST);
        assertThat(ring.check()).isEmpty();
        takeAll();
        assertThat(ring.info().heldMessages()).isZero();
    }

    private void takeAll() {
        for (int lane = 0; lane < LANES; lane++) {
            ring.stage().claim(MESSAGES, Duration.ZERO).done();
        }
    }

    private static void names(String table, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining(
                        "ring 'r' is broken: 3 of 4 rows of slipring_" + table + " are there");
    }

    private static Message to(int lane) {
        return Message.of("y").key(Keys.of(lane, LANES));
    }

    private void isDroppedAndMadeAnew() {
        slipring.drop("r");
        assertThat(slipring.rings()).isEmpty();
        create("pool");
        ring.push("x");
        assertThat(ring.stage().claim(1, Duration.ofSeconds(20)).deliveries()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " WHERE name = 'a'"})
    void aRingWithoutItsStagesIsNamedAndDropped(String which) throws Exception {
        slipring.create(RingSpec.named("r").graph(StageSpec.named("a").then(StageSpec.named("b"))));
        assertThat(run("DELETE FROM slipring_stage" + which)).isPositive();
        slipring.close();
        slipring = Slipring.open(server.get().url(database));
        assertThatThrownBy(() -> slipring.ring("r"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("ring 'r' is broken: ");
        isDroppedAndMadeAnew();
    }

    @Test
    void aStageWithoutItsRowsSaysSo() throws Exception {
        create("pool");
        ring.push("x");
        assertThat(run("DELETE FROM slipring_strand")).isEqualTo(LANES);
        slipring.close();
        slipring = Slipring.open(server.get().url(database));
        assertThatThrownBy(() -> slipring.ring("r").stage().claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("0 of 4 rows of slipring_strand are there");
    }

    /** A stage does not come past one of which it is lost how far it is. */
    @Test
    void aStageInFrontWithoutItsRowsIsNotPassed() throws Exception {
        ring =
                slipring.create(
                        RingSpec.named("r")
                                .lanes(LANES)
                                .graph(FanOut.to("fast").and("slow").then("behind")));
        ring.push("x");
        ring.stage("fast").claim(1, Duration.ofSeconds(20)).done();
        assertThat(run("DELETE FROM slipring_strand WHERE stage = 'slow'")).isEqualTo(LANES);
        assertThatThrownBy(() -> ring.stage("behind").claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("slipring_strand");
    }

    /**
     * The error names the row that numbers rings. Without it each new ring would have the same id,
     * and processes would take it for the last one.
     */
    @Test
    void theRowThatNumbersRingsIsNamed() throws Exception {
        create("pool");
        assertThat(run("DELETE FROM slipring_id")).isEqualTo(1);
        String words = "the row of slipring_id is not there";
        assertThatThrownBy(() -> slipring.create(RingSpec.named("further")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageStartingWith(words);
        List<String> found = ring.check();
        assertThat(found).singleElement().asString().startsWith(words);
        String repair = found.get(0).substring(found.get(0).indexOf("INSERT INTO"));
        assertThat(run(repair)).isEqualTo(1);
        assertThat(ring.check()).isEmpty();
        slipring.create(RingSpec.named("further")).push("x");
        assertThat(slipring.ring("further").check()).isEmpty();
    }

    @Test
    void aTableOfAnotherEngineIsNamed() throws Exception {
        create("pool");
        run("ALTER TABLE slipring_producer ENGINE = MyISAM");
        List<String> found = ring.check();
        assertThat(found)
                .singleElement()
                .asString()
                .startsWith("the table slipring_producer is of the engine MyISAM, ");
        run(found.get(0).substring(found.get(0).indexOf("ALTER TABLE")));
        assertThat(ring.check()).isEmpty();
    }
}
