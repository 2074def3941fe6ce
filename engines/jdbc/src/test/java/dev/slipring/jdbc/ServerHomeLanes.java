// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A process that works alone on a lane is fast, and never misses what others do there or in other
 * lanes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerHomeLanes {

    @RegisterExtension private final RunningServer server;

    ServerHomeLanes(ServerFiles files) {
        server = new RunningServer(files);
    }

    /**
     * Pushes and claims until a word with a claim took the short way, in which nothing is read. On
     * a slow machine that never happens by itself, as the test takes too long between two looks;
     * then this method helps.
     *
     * @param alone how many times it tries without helping
     */
    private Claim untilShort(Slipring slipring, Ring ring, Claim first, Set<String> seen, int alone)
            throws Exception {
        long id = ring.info().shape().id();
        Claim claim = first;
        for (int i = 0; i < 5_000; i++) {
            ring.push("message " + i);
            long before = server.get().status("Com_select");
            // As late as possible, since a look counts only for a short time.
            if (i > alone) {
                lookedNow(slipring, id);
            }
            claim = next(ring, claim, seen);
            // The answer of the call is the only SELECT.
            if (!claim.isEmpty() && server.get().status("Com_select") - before == 1) {
                return claim;
            }
        }
        throw new AssertionError("no claim was short");
    }

    /** Reports a claim as done, if it is not empty, and claims the next. */
    private static Claim next(Ring ring, Claim before, Set<String> seen) {
        Claim next = before.isEmpty() ? claim(ring) : before.doneAndNext(9, Duration.ZERO);
        see(next, seen);
        return next;
    }

    private static Claim claim(Ring ring) {
        return ring.stage().claim(9, Duration.ZERO);
    }

    /**
     * Makes the store believe that it has just looked at the other lanes, as a test takes long
     * between two looks.
     */
    private static void lookedNow(Slipring slipring, Ring ring) {
        lookedNow(slipring, ring.info().shape().id());
    }

    private static void lookedNow(Slipring slipring, long id) {
        JdbcStore store = (JdbcStore) slipring.store();
        HomeLane home = store.transactor().memo().home(id);
        home.looked("main", home.lane(), System.nanoTime(), Long.MAX_VALUE, 0);
    }

    private static void see(Claim claim, Set<String> seen) {
        for (Delivery delivery : claim.deliveries()) {
            assertThat(seen.add(delivery.id())).as(delivery.id() + " is new").isTrue();
        }
    }

    @Test
    void aClaimOfWhatWasPushedHereReadsNothing() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring = slipring.create(RingSpec.named("alone"));
            Set<String> seen = new HashSet<>();
            Claim claim = untilShort(slipring, ring, claim(ring), seen, 500);
            claim.done();
            assertThat(seen).hasSize((int) ring.info().pushed());
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A claim without a wait finds all that others pushed before it began. */
    @Test
    void whatOthersPushIsFoundAtOnce() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("both"));
            Set<String> seen = new HashSet<>();
            Claim claim = claim(ring);
            Random random = new Random(4);
            for (int i = 1; i <= 400; i++) {
                ring.push("ours");
                claim = claim.isEmpty() ? claim(ring) : claim.doneAndNext(1, Duration.ZERO);
                see(claim, seen);
                if (random.nextInt(3) == 0) {
                    other.ring("both").push("theirs");
                }
                while (!claim.isEmpty()) {
                    claim = claim.doneAndNext(1 + random.nextInt(3), Duration.ZERO);
                    see(claim, seen);
                }
                assertThat(seen).hasSize((int) ring.info().pushed());
            }
            assertThat(ring.check()).isEmpty();
        }
    }

    /** Whatever others do on the lane meanwhile is seen, and none of it is undone. */
    @Test
    void whatOthersDoOnTheLaneIsSeen() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofHours(1));
            Ring ring = slipring.create(RingSpec.named("met").lanes(1).graph(stage));
            Ring theirs = other.ring("met");
            Set<String> seen = new HashSet<>();
            Claim claim = claim(ring);
            Claim taken = claim(theirs);
            for (int i = 0; i < 20; i++) {
                taken.done();
                claim = untilShort(slipring, ring, claim, seen, 2);
                ring.push("theirs");
                taken = claim(theirs);
                see(taken, seen);
                ring.push("ours");
                lookedNow(slipring, ring);
                claim = next(ring, claim, seen);
            }
            taken.fail(taken.deliveries().get(0), "no", Duration.ofHours(1));
            ring.push("more");
            claim = next(ring, claim, seen);
            assertThat(claim.isEmpty()).isFalse();
            assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);

            claim.done();
            assertThat(ring.check()).isEmpty();
            assertThat(ring.info().stages().get(0).inHand()).isEmpty();
        }
    }

    /** A message that others give back in another lane is found, even without a push there. */
    @Test
    void whatOthersGiveBackElsewhereIsFoundAtOnce() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("back").lanes(2));
            Ring theirs = other.ring("back");
            for (int i = 1; i <= 30; i++) {
                push(slipring, 1, 3 * i);
                Claim there = theirs.stage().claim(1, Duration.ZERO);
                push(slipring, 0, 3 * i + 1);
                Claim here = claim(ring);
                push(slipring, 0, 3 * i + 2);
                here = here.doneAndNext(9, Duration.ZERO);
                assertThat(here.deliveries()).hasSize(1);
                there.giveBack();
                Claim back = here.doneAndNext(9, Duration.ZERO);
                assertThat(back.deliveries()).hasSize(1);
                back.done();
            }
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    private static void push(Slipring slipring, int lane, int number) {
        byte[] body = SlotCodec.encode(List.of(Message.of("to lane " + lane)));
        slipring.store().push("back", List.of(new Slot(lane, 7, number, 1, body)));
    }

    @Test
    void aStageThatOthersPauseHandsOutNothing() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("paused"));
            Ring theirs = other.ring("paused");
            Set<String> seen = new HashSet<>();
            Claim claim = claim(ring);
            for (int i = 0; i < 20; i++) {
                claim = untilShort(slipring, ring, claim, seen, 2);
                ring.push("not now");
                theirs.stage().pause();
                lookedNow(slipring, ring);
                assertThat(claim.doneAndNext(9, Duration.ZERO).isEmpty()).isTrue();
                assertThat(claim(ring).isEmpty()).isTrue();
                theirs.stage().resume();
                claim = claim(ring);
                see(claim, seen);
            }
            claim.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A word after the end of the lease is refused, even if no other process was there. */
    @Test
    void aLateWordIsRefusedWhereNobodyElseWas() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Claim late = ranOut(slipring);
            assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        }
    }

    @Test
    void whatRanOutComesBeforeWhatIsNew() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            ranOut(slipring);
            Ring ring = slipring.ring("late");
            ring.push("newer");
            lookedNow(slipring, ring);
            Claim again = claim(ring);
            assertThat(again.deliveries().get(0).attempt()).isEqualTo(2);
            again.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A claim whose lease has run out, of a process that works alone on its lane. */
    private Claim ranOut(Slipring slipring) throws Exception {
        StageSpec stage = StageSpec.named("main").lease(Duration.ofSeconds(10));
        Ring ring = slipring.create(RingSpec.named("late").lanes(1).graph(stage));
        Claim claim = untilShort(slipring, ring, claim(ring), new HashSet<>(), 2);
        while (!ring.info().stages().get(0).inHand().get(0).leaseLeft().isNegative()) {
            Thread.sleep(20);
        }
        return claim;
    }

    /**
     * A claim that waits gets the messages of another claim of the lane whose lease runs out, even
     * if that was made after the last look at all claims.
     */
    @Test
    void whoWaitsGetsWhatRunsOutMeanwhile() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofSeconds(10));
            Ring ring = slipring.create(RingSpec.named("waits").lanes(1).graph(stage));
            Claim claim = untilShort(slipring, ring, claim(ring), new HashSet<>(), 2);
            ring.push("abandoned");
            lookedNow(slipring, ring);
            Claim abandoned = claim(ring);
            assertThat(abandoned.deliveries()).hasSize(1);
            lookedNow(slipring, ring);
            Claim again = claim.doneAndNext(9, Duration.ofSeconds(60));
            assertThat(again.deliveries()).hasSize(1);
            assertThat(again.deliveries().get(0).attempt()).isEqualTo(2);
            again.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * The stages of a diamond overtake each other, and large bodies leave together with their
     * slots.
     */
    @Test
    void aDiamondWithLargeBodiesIsEmptyInTheEnd() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("diamond")
                                    .graph(FanOut.to("left").and("right").then("last")));
            Random random = new Random(8);
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < 300; i++) {
                byte[] body = new byte[random.nextInt(2) * 5_000 + 10];
                random.nextBytes(body);
                ring.push(Message.of(body));
                for (String stage : List.of("left", "right", "last")) {
                    Claim claim = ring.stage(stage).claim(5, Duration.ZERO);
                    assertThat(claim.deliveries()).hasSize(1);
                    assertThat(claim.deliveries().get(0).body()).isEqualTo(body);
                    assertThat(seen.add(stage + claim.deliveries().get(0).id())).isTrue();
                    claim.done();
                }
            }
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.info().heldBytes()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }
}
