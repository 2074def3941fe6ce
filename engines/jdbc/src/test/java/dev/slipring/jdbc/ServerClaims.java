// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.kit.server.Proxy;
import dev.slipring.kit.server.Proxy.Cut;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Claims that find a lane locked by others, or lose their connection halfway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerClaims {

    @RegisterExtension private final RunningServer server;

    ServerClaims(ServerFiles files) {
        server = new RunningServer(files);
    }

    private static Ring ring(Slipring slipring) {
        StageSpec stage = StageSpec.named("main").lease(Duration.ofMinutes(10));
        return slipring.create(RingSpec.named("claims").lanes(1).graph(stage));
    }

    /** A claim looks again if the lane is locked, be it at its back end or only at a strand. */
    @Test
    void aLaneInOtherHandsIsLookedAtAgain() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database)) {
            Ring ring = ring(slipring);
            ring.push("the shape is known");
            ring.stage().claim(1, Duration.ZERO).done();
            other.setAutoCommit(false);
            for (String table : new String[] {"slipring_gate", "slipring_strand"}) {
                ring.push(table);
                Claim claimed = claimOfLocked(ring, other, table);
                // Several tries: it looks again only for a moment, in which a slow machine may do
                // nothing.
                for (int i = 0; i < 20 && claimed.isEmpty(); i++) {
                    claimed = claimOfLocked(ring, other, table);
                }
                assertThat(claimed.deliveries()).as(table + " was locked").hasSize(1);
                claimed.done();
            }
        }
    }

    /** Claims without a wait; a table is locked until the claim has looked twice, or is over. */
    private Claim claimOfLocked(Ring ring, Connection other, String table) throws Exception {
        try (Statement sql = other.createStatement()) {
            sql.executeQuery("SELECT * FROM " + table + " FOR UPDATE").close();
        }
        long before = calls();
        CompletableFuture<Claim> claim =
                CompletableFuture.supplyAsync(() -> ring.stage().claim(1, Duration.ZERO));
        while (!claim.isDone() && calls() < before + 2) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        other.rollback();
        return claim.get(60, TimeUnit.SECONDS);
    }

    private long calls() {
        return server.get().status("Com_call_procedure");
    }

    /** A claim without a wait is not held up by a kept lane. */
    @Test
    void aLaneThatIsKeptIsNotWaitedFor() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring ring = ring(slipring);
            ring.push("a");
            ring.push("b");
            Claim first = ring.stage().claim(1, Duration.ZERO);
            caller.setAutoCommit(false);
            ring.join(caller).done(first);
            assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isTrue();
            caller.commit();
            assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        }
    }

    /** A stage may keep very many of them. */
    @Test
    void deadLettersBehindAClaimAreNotRead() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            StageSpec stage = StageSpec.named("main").tries(1);
            Ring ring = slipring.create(RingSpec.named("claims").lanes(1).graph(stage));
            ring.pushAll(Collections.nCopies(300, Message.of("dead")));
            Claim dead = ring.stage().claim(300, Duration.ZERO);
            dead.deliveries().forEach(delivery -> dead.fail(delivery, "no"));
            ring.push("alive");
            long before = server.get().status("Handler_read_next");
            assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
            assertThat(server.get().status("Handler_read_next") - before).isLessThan(100);
        }
    }

    /** Nor are the retries that wait, to tell which are in hand. */
    @Test
    void retriesThatWaitAreNotReadForASurvey() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = ring(slipring);
            ring.pushAll(Collections.nCopies(300, Message.of("waits")));
            Claim failed = ring.stage().claim(300, Duration.ZERO);
            for (Delivery delivery : failed.deliveries()) {
                Duration wait = delivery.position() == 7 ? Duration.ZERO : Duration.ofDays(1);
                failed.fail(delivery, "no", wait);
            }
            Claim retry = ring.stage().claim(9, Duration.ZERO);
            assertThat(retry.deliveries()).hasSize(1);
            ring.info();
            long before = server.get().status("Handler_read_next");
            assertThat(ring.info().stages().get(0).inHand()).hasSize(1);
            assertThat(server.get().status("Handler_read_next") - before).isLessThan(100);
        }
    }

    /** A failed message of an ordered stage may stand behind very many dead letters. */
    @Test
    void deadLettersInFrontOfARetryAreNotRead() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database);
                Statement sql = other.createStatement()) {
            StageSpec stage = StageSpec.named("main").ordered();
            Ring ring = slipring.create(RingSpec.named("claims").lanes(1).graph(stage));
            ring.pushAll(Collections.nCopies(600, Message.of("waits")));
            Claim first = ring.stage().claim(1, Duration.ZERO);
            first.fail(first.deliveries().get(0), "no", Duration.ofDays(1));
            sql.execute("UPDATE slipring_strand SET claimed = 600, done = 600, waiting = 300");
            sql.execute("UPDATE slipring_gate SET moves = moves + 1");
            sql.execute(
                    "INSERT INTO slipring_aside WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL"
                            + " SELECT n + 1 FROM n WHERE n < 599) SELECT ring, lane, stage, n.n,"
                            + " IF(n.n < 300, 1, 0), 0, 1, due, 0, '', '', 0, 0, 0, message"
                            + " FROM slipring_aside, n");
            sql.execute("UPDATE slipring_aside SET state = 1 WHERE position = 0");
            sql.execute("UPDATE slipring_aside SET due = 0 WHERE position = 300");
            long before = server.get().status("Handler_read_next");
            Claim retry = ring.stage().claim(1, Duration.ZERO);
            assertThat(retry.deliveries().get(0).position()).isEqualTo(300);
            assertThat(server.get().status("Handler_read_next") - before).isLessThan(100);
        }
    }

    /** If the connection breaks before the messages are read, they are read on the next one. */
    @Test
    void aClaimOutlivesItsConnection() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring pusher = Slipring.open(server.get().url(database));
                Proxy proxy = new Proxy(server.get().port());
                Slipring worker = Slipring.open(server.get().url(database, proxy.port()))) {
            proxy.cut("FROM slipring_slot", Cut.BEFORE);
            Ring ring = ring(pusher);
            ring.push("before");
            Ring seen = worker.ring("claims");
            // The ledger reads the shape, and the first message.
            ring.stage().claim(1, Duration.ZERO).done();
            assertThat(seen.stage().claim(1, Duration.ZERO).isEmpty()).isTrue();
            ring.push("a");
            Claim claim = seen.stage().claim(1, Duration.ZERO);
            assertThat(proxy.hasCut()).isTrue();
            assertThat(claim.deliveries().get(0).text()).isEqualTo("a");
            claim.done();
            assertThat(ring.info().heldMessages()).isZero();
        }
    }

    /**
     * If messages cannot be read, others may claim them at once, and the word that came with the
     * claim stays recorded.
     */
    @Test
    void aClaimThatCannotBeReadGoesBack() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring pusher = Slipring.open(server.get().url(database));
                Proxy proxy = new Proxy(server.get().port());
                Slipring worker = Slipring.open(server.get().url(database, proxy.port()))) {
            proxy.cut("FROM slipring_content", Cut.BEFORE, 4);
            Ring ring = ring(pusher);
            ring.push("before");
            Ring seen = worker.ring("claims");
            Claim first = seen.stage().claim(1, Duration.ZERO);
            ring.push("long ".repeat(1_000));
            Claim second = first.doneAndNext(1, Duration.ZERO);
            assertThat(second.isEmpty()).isTrue();
            assertThat(ring.info().heldMessages()).as("the word was taken").isEqualTo(1);
            assertThatThrownBy(() -> seen.stage().claim(1, Duration.ZERO))
                    .isInstanceOf(StoreFailed.class);
            assertThat(proxy.hasCut()).isTrue();
            Claim third = ring.stage().claim(1, Duration.ZERO);
            assertThat(third.deliveries().get(0).text()).startsWith("long ");
            assertThat(third.deliveries().get(0).attempt()).isEqualTo(1);
            third.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * A claim whose lease runs out before its messages are read may have been handed on and done:
     * then it is empty.
     */
    @Test
    void aClaimThatIsLostBeforeItIsReadIsEmpty() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring pusher = Slipring.open(server.get().url(database));
                Proxy proxy = new Proxy(server.get().port());
                Slipring worker = Slipring.open(server.get().url(database, proxy.port()))) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofSeconds(5));
            Ring ring = pusher.create(RingSpec.named("claims").lanes(1).graph(stage));
            ring.push("before");
            Ring seen = worker.ring("claims");
            seen.stage().claim(1, Duration.ZERO).done();
            ring.push("long ".repeat(1_000));
            proxy.before(
                    "FROM slipring_content",
                    () -> ring.stage().claim(1, Duration.ofSeconds(30)).done());
            Claim lost = seen.stage().claim(1, Duration.ZERO);
            assertThat(proxy.hasCut()).isTrue();
            assertThat(lost.isEmpty()).isTrue();
            assertThat(lost.reason()).contains("the lease ran out before");
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * Another process removes the stage after a claim has looked at the ring, and before it looks
     * at the stage.
     */
    @Test
    void aStageThatGoesWhileAClaimLooksIsMissed() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection keeper = server.get().connect(database);
                Connection other = server.get().connect(database);
                Statement keeps = keeper.createStatement();
                Statement sql = other.createStatement()) {
            // With this many lanes, claims do not use the procedure.
            Ring ring =
                    slipring.create(
                            RingSpec.named("claims")
                                    .lanes(64)
                                    .graph(
                                            List.of(
                                                    StageSpec.named("stays"),
                                                    StageSpec.named("goes")),
                                            Map.of()));
            assertThat(ring.stage("goes").claim(1, Duration.ZERO).isEmpty()).isTrue();
            keeps.execute("LOCK TABLES slipring_strand WRITE");
            CompletableFuture<Claim> claim =
                    CompletableFuture.supplyAsync(() -> ring.stage("goes").claim(1, Duration.ZERO));
            String waiting =
                    "SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for%'";
            boolean waits = false;
            while (!waits) {
                assertThat(claim).isNotDone();
                try (ResultSet row = sql.executeQuery(waiting)) {
                    waits = row.next();
                }
            }
            sql.execute("DELETE FROM slipring_stage WHERE name = 'goes'");
            sql.execute("UPDATE slipring_ring SET version = version + 1");
            keeps.execute("DELETE FROM slipring_strand WHERE stage = 'goes'");
            keeps.execute("UNLOCK TABLES");
            assertThatThrownBy(claim::join)
                    .hasRootCauseInstanceOf(NoSuchStage.class)
                    .hasMessageContaining("'goes'");
        }
    }

    /** A claim names all stages before its own in one value, of 64 KiB at most. */
    @Test
    void asManyStagesMayComeBeforeOneAsAClaimCanName() {
        List<StageSpec> stages = new ArrayList<>();
        for (int i = 0; i < 1_023; i++) {
            stages.add(StageSpec.named(String.format("%063d", i)));
        }
        Set<String> all = Set.copyOf(stages.stream().map(StageSpec::name).toList());
        String last = "z".repeat(63);
        stages.add(StageSpec.named(last));
        RingSpec most = RingSpec.named("most").lanes(1).graph(stages, Map.of(last, all));
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring = slipring.create(most);
            ring.push("behind all");
            assertThat(ring.stage(last).claim(1, Duration.ZERO).isEmpty()).isTrue();

            assertThatThrownBy(
                            () ->
                                    ring.addStage(
                                            StageSpec.named("more"), Set.of(last), Start.OLDEST))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stage 'more' has 1,024 stages before it")
                    .hasMessageContaining("may have 65,535 characters here, and have 65,540");
            Map<String, Set<String>> after = Map.of(last, all, "more", Set.of(last));
            stages.add(StageSpec.named("more"));
            assertThatThrownBy(() -> slipring.create(RingSpec.named("more").graph(stages, after)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(slipring.rings()).containsExactly("most");
        }
    }
}
