// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Handler;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Handlers, called for each message or for whole claims, on threads made here or on an executor.
 */
public interface Work extends Promise {

    /** A lease that does not run out within a test. */
    Duration LONG = Duration.ofHours(1);

    /** A graph of handlers sees every message in every stage, with failures. */
    @Test
    default void aGraphOfHandlers() {
        Ring ring =
                ring("handlers", FanOut.to(stage("a").tries(50)).and(stage("b")).then(stage("c")));
        Set<String> joined = ConcurrentHashMap.newKeySet();
        AtomicInteger calls = new AtomicInteger();
        try (Workers a =
                        ring.stage("a")
                                .work(
                                        3,
                                        delivery -> {
                                            if (calls.incrementAndGet() % 10 == 0) {
                                                throw new IllegalStateException("every tenth");
                                            }
                                        });
                Workers b =
                        ring.stage("b").workBatches(WorkOptions.threads(2).batch(50), claim -> {});
                Workers c = ring.stage("c").work(2, delivery -> joined.add(delivery.text()))) {
            for (int i = 0; i < 20; i++) {
                int first = i * 50;
                ring.pushAll(numbers(50).stream().map(n -> Message.of(first + "+" + n)).toList());
            }
            Wait.until(
                    "the join has seen all",
                    () -> {
                        retriesComeDue();
                        return joined.size() == 1_000;
                    });
        }
        assertThat(ring.info().stages().get(0).failed()).isPositive();
    }

    /** What a handler throws is kept with the message. */
    @Test
    default void whatAHandlerThrowsIsKept() {
        Ring ring = ring("throws", stage("main").tries(1));
        push(ring, 3);
        ring.stage()
                .drain(
                        delivery -> {
                            if (delivery.text().equals("1")) {
                                throw new IllegalArgumentException("no ones here");
                            }
                        });
        assertThat(ring.stage().deadLetters(9))
                .singleElement()
                .satisfies(
                        dead -> {
                            assertThat(dead.error()).contains("no ones here");
                            assertThat(dead.delivery().text()).isEqualTo("1");
                        });
        assertThat(ring.drain(Duration.ZERO)).isTrue();
    }

    /** If a batch handler throws, the messages that it has not reported have failed. */
    @Test
    default void aBatchThatThrowsFailsTheRest() {
        Ring ring = ring("batch", stage("main").tries(1));
        AtomicInteger rest = new AtomicInteger();
        try (Workers workers =
                ring.stage()
                        .workBatches(
                                WorkOptions.threads(1),
                                claim -> {
                                    claim.done(claim.deliveries().get(0));
                                    int others = claim.deliveries().size() - 1;
                                    if (others > 0) {
                                        rest.addAndGet(others);
                                        throw new IllegalStateException("rest");
                                    }
                                })) {
            // On a busy machine claims may stay small for a while.
            for (int i = 0; i < 1_000 && rest.get() == 0; i++) {
                push(ring, 4);
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
        }
        StageSurvey stage = ring.info().stages().get(0);
        assertThat(stage.dead()).isPositive().isEqualTo(rest.get()).isEqualTo(stage.failed());
    }

    /**
     * A batch handler that throws when it has reported everything fails nothing, and is heard of.
     */
    @Test
    default void aBatchThatThrowsBehindItsLastWordIsHeardOf() {
        AtomicReference<SlipringException> heard = new AtomicReference<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        heard.set(error);
                    }
                };
        ring("behind");
        Ring ring = heardBy(listener).ring("behind");
        try (Workers workers =
                ring.stage()
                        .workBatches(
                                WorkOptions.threads(1),
                                claim -> {
                                    claim.done();
                                    throw new IllegalStateException("behind");
                                })) {
            ring.push("x");
            Wait.until("it is heard of", () -> heard.get() != null);
        }
        assertThat(heard.get()).hasMessageContaining("behind");
        assertThat(ring.info().stage("main").failed()).isZero();
    }

    /** An ordered stage's handlers, with failures: each key in order, and nothing twice. */
    @Test
    default void orderedHandlers() {
        List<String> broken = new CopyOnWriteArrayList<>();
        Slipring heard = heardBy(new Breaks(broken));
        Ring ring =
                heard.create(
                        RingSpec.named("ordered")
                                .lanes(3)
                                .graph(stage("main").ordered().tries(1_000).lease(LONG)));
        ConcurrentHashMap<String, Integer> last = new ConcurrentHashMap<>();
        Set<Integer> handled = ConcurrentHashMap.newKeySet();
        AtomicInteger disorder = new AtomicInteger();
        try (Workers workers =
                ring.stage()
                        .work(
                                4,
                                delivery -> {
                                    int number = Integer.parseInt(delivery.text());
                                    if (number % 11 == 0 && delivery.attempt() == 1) {
                                        throw new IllegalStateException("once");
                                    }
                                    Integer before = last.put(delivery.key(), number);
                                    boolean again = !handled.add(number);
                                    if (again || before != null && before > number) {
                                        disorder.incrementAndGet();
                                    }
                                })) {
            for (int i = 0; i < 300; i++) {
                ring.pushAsync(Message.of("" + i).key("key" + i % 5));
            }
            Wait.until(
                    "all are handled",
                    () -> {
                        retriesComeDue();
                        return handled.size() >= 300;
                    });
        }
        assertThat(disorder).hasValue(0);
        assertThat(broken).isEmpty();
    }

    /** A listener that notes what went wrong. */
    record Breaks(List<String> broken) implements Listener {

        @Override
        public void storeFailed(String ring, SlipringException error) {
            broken.add(error.getMessage());
        }
    }

    /**
     * A word that was lost because the store failed is said again, long before the lease runs out.
     */
    @Test
    default void aWordThatWasLostIsSaidAgain() {
        wordsAreSaidAgain(stage("main").lease(LONG));
    }

    /** The same holds for a word about a whole claim. */
    @Test
    default void aWordOnAClaimThatWasLostIsSaidAgain() {
        wordsAreSaidAgain(stage("main").lease(LONG).ordered());
    }

    private void wordsAreSaidAgain(StageSpec stage) {
        ring("words", stage);
        Ring ring = behind(LostCalls.ofWordsWithClaims()).ring("words");
        List<String> handled = new CopyOnWriteArrayList<>();
        try (Workers workers =
                ring.stage()
                        .work(
                                WorkOptions.threads(1).batch(1),
                                delivery -> handled.add(delivery.text()))) {
            push(ring, 6);
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(handled).containsExactlyElementsOf(numbers(6));
        assertThat(ring.info().stages().get(0).redelivered()).isZero();
    }

    /**
     * A message has failed even if the exception of its handler throws when it is asked for its
     * text.
     */
    @Test
    default void aFailureThatCannotSpeakIsOne() {
        Ring ring = ring("mute", stage("main").tries(1));
        Handler handler =
                delivery -> {
                    throw new IllegalStateException() {
                        @Override
                        public String getMessage() {
                            throw new IllegalStateException();
                        }
                    };
                };
        try (Workers workers = ring.stage().work(2, handler)) {
            push(ring, 8);
            Wait.until("all are dead", () -> ring.info().stages().get(0).dead() == 8);
        }
        assertThat(ring.stage().deadLetters(1).get(0).error()).contains("Work");
    }

    /**
     * A failure that the store records, but whose answer is lost, while another message of its
     * claim is still in hand.
     */
    @Test
    default void aFailureWhoseAnswerIsLostIsTakenOnce() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        StageSurvey stage =
                failBesideOthers(
                        stage("main").tries(1), LostCalls.ofAnAnswerToAFailure(lost), lost);
        assertThat(stage.failed()).isEqualTo(stage.dead());
        assertThat(stage.redelivered()).isZero();
    }

    /**
     * A word that the store refuses as wrong is not repeated for ever: the claim's messages come
     * again.
     */
    @Test
    default void aFailureThatIsRefusedAsWrongComesAgain() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        StageSurvey stage =
                failBesideOthers(
                        stage("main").tries(6).lease(Duration.ofSeconds(4)),
                        LostCalls.ofRefusedFailures(lost),
                        lost);
        assertThat(stage.redelivered()).isPositive();
    }

    /**
     * Lets messages fail, each in one claim with a message that takes long, until the word about
     * one of them is lost. Returns the stage when every message is done or dead.
     */
    private StageSurvey failBesideOthers(StageSpec spec, InFront.Way way, CountDownLatch lost)
            throws Exception {
        try (Slipring real = realTime()) {
            real.create(RingSpec.named("beside").graph(spec));
            Ring ring = behind(real, way).ring("beside");
            Handler handler =
                    delivery -> {
                        if (delivery.text().equals("bad")) {
                            throw new IllegalStateException("no");
                        } else if (delivery.text().equals("slow")) {
                            lost.await(2, TimeUnit.SECONDS);
                        }
                    };
            int bad = 0;
            try (Workers workers = ring.stage().work(2, handler)) {
                for (boolean isLost = false; !isLost && bad < 20; bad++) {
                    // Workers whose handler is quick claim more at a time.
                    push(ring, 50);
                    assertThat(ring.drain(Wait.LONGEST)).isTrue();
                    ring.pushAll(List.of(Message.of("bad"), Message.of("slow")));
                    isLost = lost.await(3, TimeUnit.SECONDS);
                }
                Wait.until(
                        "all have come to their end",
                        () ->
                                ring.drain(Duration.ofSeconds(5))
                                        && ring.info().stages().get(0).aside() == 0);
            }
            StageSurvey stage = ring.info().stages().get(0);
            assertThat(lost.getCount()).as("the word on a failure alone was lost").isZero();
            assertThat(stage.dead()).isEqualTo(bad);
            assertThat(ring.check()).isEmpty();
            return stage;
        }
    }

    /** A push after a claim has looked for messages, and before it sleeps, wakes it at once. */
    @Test
    default void whatComesBetweenTheLookAndTheSleepIsHeard() {
        AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
        Slipring heard =
                heardBy(
                        new Listener() {
                            @Override
                            public void settled(
                                    String ring,
                                    String stage,
                                    int done,
                                    int failed,
                                    int dead,
                                    Duration took) {
                                between.getAndSet(() -> {}).run();
                            }
                        });
        Ring ring = heard.create(RingSpec.named("between").graph(stage("main").lease(LONG)));
        ring.push("first");
        try (Claim first = claim(ring.stage(), 1)) {
            // The listener runs it when the word has been taken and the look that came with it
            // found nothing.
            between.set(() -> ring.push("second"));
            long start = System.nanoTime();
            try (Claim second = first.doneAndNext(1, Duration.ofSeconds(20))) {
                assertThat(texts(second)).containsExactly("second");
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(took).as("it did not sleep to the end").isLessThan(Duration.ofSeconds(15));
        }
    }

    /** A slow handler keeps its claim: the lease is extended while it runs. */
    @Test
    default void aSlowHandlerKeepsItsClaim() throws Exception {
        try (Slipring real = realTime()) {
            Ring ring =
                    real.create(
                            RingSpec.named("slow")
                                    .graph(StageSpec.named("main").lease(Duration.ofSeconds(8))));
            CountDownLatch done = new CountDownLatch(1);
            AtomicInteger calls = new AtomicInteger();
            try (Workers workers =
                    ring.stage()
                            .work(
                                    2,
                                    delivery -> {
                                        calls.incrementAndGet();
                                        TimeUnit.SECONDS.sleep(10);
                                        done.countDown();
                                    })) {
                ring.push("work");
                assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            assertThat(calls).hasValue(1);
            assertThat(ring.info().stages().get(0).redelivered()).isZero();
        }
    }
}
