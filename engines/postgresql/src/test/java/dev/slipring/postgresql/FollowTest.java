// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A graph whose stages fail, give back, and report done in transactions, by a seed. Each stage sees
 * a message after the stages that it follows, and no more once it is done with it. The ordered one
 * has one claim in a lane, and does not pass a message there that failed.
 *
 * <pre>
 *     a --+--&gt; b ------------+--&gt; d
 *         +--&gt; c (ordered) --+
 * </pre>
 */
@Timeout(300)
class FollowTest {

    private static final Map<String, Set<String>> BEFORE =
            Map.of(
                    "a", Set.of(),
                    "b", Set.of("a"),
                    "c", Set.of("a"),
                    "d", Set.of("a", "b", "c"));
    private static final String ORDERED = "c";
    private static final int STEPS = 1_500;

    /** For how many steps some stages sleep, and fall behind. */
    private static final int PHASE = 30;

    private static final int MESSAGES = 600;
    private static final int FULL = 20_000;

    /**
     * How a claim is settled, by a number below this: 0 gives it back, 1 to 2 fail it, 1 to 4 are
     * in a transaction; all others are done.
     */
    private static final int DONE = 7;

    /** A claim and its stage. */
    private record Held(String stage, Claim claim) {}

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private final Map<String, Set<String>> done = new HashMap<>();
    private final Map<String, Set<String>> inHand = new HashMap<>();

    /** For each lane, where a message failed in the ordered stage and is not done yet. */
    private final Map<Integer, Long> failed = new HashMap<>();

    private final List<Held> claims = new ArrayList<>();
    private final List<String> awake = new ArrayList<>();
    private Ring ring;
    private Connection caller;
    private int pushed;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyStageComesBehindThoseItFollows(long seed) throws SQLException {
        ring =
                database.ring(
                        2, stage("a").then(FanOut.to(stage("b")).and(ordered())).then(stage("d")));
        for (String stage : BEFORE.keySet()) {
            done.put(stage, new HashSet<>());
            inHand.put(stage, new HashSet<>());
        }
        caller = database.other();
        caller.setAutoCommit(false);
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (step % PHASE == 0) {
                awake.clear();
                BEFORE.keySet().stream()
                        .sorted()
                        .filter(x -> random.nextBoolean())
                        .forEach(awake::add);
            }
            step(random);
        }
        for (String stage : List.of("a", "b", "c", "d")) {
            finish(stage);
        }
        assertThat(ring.check()).isEmpty();
        assertThat(ring.info().heldMessages()).isZero();
    }

    /**
     * A caller's word about the first stage reaches the second, although no other worker of the
     * first takes it in.
     */
    @Test
    void aWordOfACallerReachesWhoFollows() throws SQLException {
        ring = database.slipring().create(RingSpec.named("r").graph(stage("a").then(stage("b"))));
        ring.push("x");
        caller = database.other();
        caller.setAutoCommit(false);
        ring.join(caller).done(ring.stage("a").claim(1, Duration.ZERO));
        assertThat(ring.stage("b").claim(1, Duration.ZERO).isEmpty()).isTrue();
        caller.commit();
        Claim claim = ring.stage("b").claim(1, Duration.ofSeconds(60));
        assertThat(claim.deliveries()).hasSize(1);
    }

    /** Makes a chain whose second stage has more than enough to do in one lane. */
    private void chainWithAFullLane() throws SQLException {
        ring = database.slipring().create(RingSpec.named("r").graph(stage("a").then(stage("b"))));
        caller = database.other();
        caller.setAutoCommit(false);
        pushAndPass("full", FULL);
    }

    private void pushAndPass(String key, int messages) {
        ring.pushAll(Collections.nCopies(messages, Message.of(key).key(key)));
        for (int passed = 0; passed < messages; ) {
            Claim claim = ring.stage("a").claim(messages, Duration.ZERO);
            passed += claim.deliveries().size();
            claim.done();
        }
    }

    /**
     * How many messages of a key the second stage gets, of {@code all}, while the full lane has
     * more.
     */
    private int comeBeside(String key, int all) {
        int come = 0;
        for (int i = 0; i < FULL / 2 && come < all; i++) {
            Claim claim = ring.stage("b").claim(1, Duration.ZERO);
            come += claim.deliveries().get(0).text().equals(key) ? 1 : 0;
            claim.done();
        }
        return come;
    }

    @Test
    void whatIsSetAsideKeepsNoneOfItsLaneWaiting() throws SQLException {
        chainWithAFullLane();
        ring.pushAll(Collections.nCopies(10, Message.of("other").key("other")));
        Claim claim = ring.stage("a").claim(10, Duration.ZERO);
        claim.fail(claim.deliveries().get(0), "no", Duration.ofHours(1));
        claim.fail(claim.deliveries().get(5), "no", Duration.ofHours(1));
        claim.done();
        assertThat(comeBeside("other", 8)).isEqualTo(8);
    }

    @Test
    void aWordOfACallerReachesWhoFollowsBesideAFullLane() throws SQLException {
        chainWithAFullLane();
        ring.push(Message.of("other").key("other"));
        ring.join(caller).done(ring.stage("a").claim(1, Duration.ZERO));
        caller.commit();
        assertThat(comeBeside("other", 1)).isOne();
    }

    /** An ordered stage whose failed messages wait for many steps, in which other lanes go on. */
    private static StageSpec ordered() {
        Duration backoff = Duration.ofMillis(100);
        return stage(ORDERED).ordered().backoff(backoff, backoff);
    }

    private static StageSpec stage(String name) {
        return StageSpec.named(name)
                .lease(Duration.ofHours(1))
                .tries(1_000)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
    }

    private void step(Random random) throws SQLException {
        int what = random.nextInt(10);
        if (what < 2 && pushed < MESSAGES) {
            List<Message> messages = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                messages.add(Message.of("" + pushed++));
            }
            ring.pushAll(messages);
        } else if (what < 6 && !awake.isEmpty()) {
            take(awake.get(random.nextInt(awake.size())), 1 + random.nextInt(6));
        } else if (!claims.isEmpty()) {
            int how = random.nextInt(DONE + 1);
            settle(claims.remove(random.nextInt(claims.size())), how);
        }
    }

    private void take(String stage, int most) {
        Claim claim = ring.stage(stage).claim(most, Duration.ZERO);
        if (stage.equals(ORDERED) && !claim.isEmpty()) {
            checkOrder(claim);
        }
        for (Delivery delivery : claim.deliveries()) {
            String message = delivery.text();
            String as = "message %s at stage %s".formatted(message, stage);
            assertThat(done.get(stage)).as(as).doesNotContain(message);
            assertThat(inHand.get(stage).add(message)).as(as).isTrue();
            for (String before : BEFORE.get(stage)) {
                assertThat(done.get(before)).as(as + ", before it " + before).contains(message);
            }
        }
        if (!claim.isEmpty()) {
            claims.add(new Held(stage, claim));
        }
    }

    private void checkOrder(Claim claim) {
        assertThat(claims)
                .noneMatch(
                        held ->
                                held.stage().equals(ORDERED)
                                        && held.claim().lane() == claim.lane());
        List<Long> positions = claim.deliveries().stream().map(Delivery::position).toList();
        assertThat(positions).isSorted();
        assertThat(positions.get(positions.size() - 1))
                .isLessThanOrEqualTo(failed.getOrDefault(claim.lane(), Long.MAX_VALUE));
    }

    /**
     * Fails a message of an ordered claim, which ends it: the messages before it are done, the rest
     * goes back.
     */
    private void failInOrder(Claim claim) {
        List<Delivery> deliveries = claim.deliveries();
        int bad = deliveries.size() / 2;
        for (Delivery delivery : deliveries.subList(0, bad)) {
            claim.done(delivery);
            doneInOrder(delivery);
        }
        claim.fail(deliveries.get(bad), "no");
        failed.put(claim.lane(), deliveries.get(bad).position());
    }

    private void doneInOrder(Delivery delivery) {
        done.get(ORDERED).add(delivery.text());
        failed.remove(delivery.lane(), delivery.position());
    }

    private void settle(Held held, int how) throws SQLException {
        List<Delivery> left = new ArrayList<>(held.claim().deliveries());
        left.forEach(delivery -> inHand.get(held.stage()).remove(delivery.text()));
        if (how == 0) {
            held.claim().giveBack();
            return;
        }
        if (how < 3 && held.stage().equals(ORDERED)) {
            failInOrder(held.claim());
            return;
        }
        if (how < 3) {
            Delivery bad = left.remove(left.size() / 2);
            held.claim().fail(bad, "no");
        }
        if (!left.isEmpty() && how < 5) {
            ring.join(caller).done(held.claim());
            caller.commit();
        } else {
            held.claim().done();
        }
        left.forEach(delivery -> done.get(held.stage()).add(delivery.text()));
        if (held.stage().equals(ORDERED)) {
            left.forEach(this::doneInOrder);
        }
    }

    /** Takes and reports as done all that comes, until the stage has seen all messages. */
    private void finish(String stage) throws SQLException {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (done.get(stage).size() < pushed) {
            while (!claims.isEmpty()) {
                settle(claims.remove(0), DONE);
            }
            take(stage, 6);
            assertThat(System.nanoTime() - deadline)
                    .as("%s has %s of %s", stage, done.get(stage).size(), pushed)
                    .isNegative();
        }
    }
}
