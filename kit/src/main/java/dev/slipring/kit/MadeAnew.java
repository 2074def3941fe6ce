// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.BatchHandler;
import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Handler;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A stage, or its whole ring, that is made anew under its name, mostly with the other mode, while
 * somebody works on the old one.
 */
public interface MadeAnew extends Promise {

    /**
     * A pool's workers handle nothing once their stage is made anew as an ordered one: they give
     * back what they claim, and end.
     */
    @Test
    default void aPoolsWorkersEndAtAnOrderedStage() throws Exception {
        workersEnd(stage("main"), stage("main").ordered(), "an ordered one");
    }

    /** Nor do the workers of an ordered stage handle anything once it is made anew as a pool. */
    @Test
    default void anOrderedStagesWorkersEndAtAPool() throws Exception {
        workersEnd(stage("main").ordered(), stage("main"), "a pool");
    }

    private void workersEnd(StageSpec old, StageSpec anew, String what) throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        RingSpec spec = RingSpec.named("anew").lanes(2);
        Ring ring = elsewhere(new Work.Breaks(told)).create(spec.graph(old));
        ring.pushAll(List.of(to(0, 2, "old"), to(1, 2, "old")));
        List<String> handled = new CopyOnWriteArrayList<>();
        CountDownLatch busy = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        Handler handler =
                delivery -> {
                    handled.add(delivery.text());
                    busy.countDown();
                    go.await();
                };
        Ring again;
        try (Workers workers = ring.stage().work(2, handler)) {
            try {
                assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
                slipring().drop("anew");
                again = slipring().create(spec.graph(anew));
                again.pushAll(numbers(9).stream().map(text -> to(0, 2, text)).toList());
            } finally {
                go.countDown();
            }
            Wait.until("they end, or go on", () -> !told.isEmpty() || handled.size() > 2);
        }
        assertThat(handled).containsExactly("old", "old");
        assertThat(told)
                .containsExactly("stage 'main' was made anew as " + what + "; its workers end");
        assertThat(again.info().stage("main").inHand()).as("what went back").isEmpty();
        assertThat(takeAll(again.stage())).containsExactlyInAnyOrderElementsOf(numbers(9));
        assertThat(again.info().stage("main").redelivered()).isZero();
    }

    /**
     * The store as another process would open it; a store in memory, which no other process can
     * open, is opened once more here.
     */
    private Slipring elsewhere(Listener listener) {
        Options options = Options.url(bed().url()).listener(listener);
        return slipring().store().capabilities().contains(Capability.DURABLE)
                ? bed().open(options)
                : Slipring.over(slipring().store(), options);
    }

    /** Idle workers look soon after their ring is dropped, find none, and end. */
    @Test
    default void idleWorkersEndWithTheirRing() {
        needs(Capability.DURABLE);
        List<String> told = new CopyOnWriteArrayList<>();
        Ring ring = elsewhere(new Work.Breaks(told)).create(RingSpec.named("idle"));
        try (Workers workers = ring.stage().work(2, delivery -> {})) {
            ring.push("x");
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
            slipring().drop("idle");
            // Sooner than they look by themselves.
            Wait.until(Duration.ofSeconds(30), "its workers end", () -> !told.isEmpty());
        }
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("stage 'main' is gone, its workers end");
    }

    /**
     * A stage that was removed and added again is found by a process that has seen it gone, and a
     * word on a claim of the old one is late there.
     */
    @Test
    default void aStageThatIsThereAgainIsFound() {
        Ring ring =
                elsewhere(new Listener() {})
                        .create(
                                RingSpec.named("again")
                                        .graph(FanOut.to(stage("a")).and(stage("b"))));
        ring.push("x");
        Stage stage = ring.stage("a");
        Claim old = claim(stage, 1);
        Ring other = slipring().ring("again");
        other.stage("a").remove();
        assertThatThrownBy(() -> claim(stage, 1)).isInstanceOf(NoSuchStage.class);
        other.addStage(stage("a"), Set.of(), Start.OLDEST);
        assertThatThrownBy(old::done).isInstanceOf(Fenced.class);
        assertThat(takeAll(stage)).containsExactly("x");
    }

    /** A stage that another process adds is found by one that has used the ring before. */
    @Test
    default void aStageThatAnotherProcessAddsIsFound() {
        Ring ring = elsewhere(new Listener() {}).create(RingSpec.named("more").graph(stage("a")));
        ring.push("x");
        assertThat(claim(ring.stage("a"), 1).isEmpty()).isFalse();
        slipring().ring("more").addStage(stage("b"), Set.of(), Start.OLDEST);
        assertThat(takeAll(ring.stage("b"))).containsExactly("x");
    }

    /**
     * A ring that another process drops is made anew, in another shape, by one that has used it.
     */
    @Test
    default void aRingThatAnotherProcessDropsIsMadeAnew() {
        Slipring mine = elsewhere(new Listener() {});
        mine.create(RingSpec.named("anew").lanes(2).graph(stage("a"))).push("x");
        slipring().drop("anew");
        Ring ring = mine.createIfMissing(RingSpec.named("anew").lanes(3).graph(stage("b")));
        ring.push("y");
        assertThat(takeAll(ring.stage("b"))).containsExactly("y");
    }

    /**
     * A push may go to a lane that the ring has since another process made it anew, though this one
     * remembers the ring that it was.
     */
    @Test
    default void aLaneIsFoundThatTheRingBeforeHadNot() {
        Slipring mine = elsewhere(new Listener() {});
        mine.create(RingSpec.named("wider").lanes(1)).push("x");
        slipring().drop("wider");
        Ring ring = slipring().create(RingSpec.named("wider").lanes(2));
        byte[] body = SlotCodec.encode(List.of(Message.of("y")));
        mine.store().push("wider", List.of(new Slot(1, 7, 1, 1, body)));
        assertThat(takeAll(ring.stage())).containsExactly("y");
    }

    /** A push that waits in memory behind another one is told that its ring was dropped. */
    @Test
    default void whoWaitsInMemoryHearsOfTheDrop() throws Exception {
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        InFront.Way held =
                (method, arguments, through) -> {
                    if (method.toLowerCase(Locale.ROOT).endsWith("push")) {
                        writes.countDown();
                        go.await();
                    }
                    return through.call();
                };
        Store store = InFront.of(Store.class, slipring().store(), held);
        Slipring mine = Slipring.over(store, bed().options().journalBytes(1));
        Ring ring = mine.create(RingSpec.named("dropped"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> first = threads.submit(() -> ring.push("first"));
            assertThat(writes.await(60, TimeUnit.SECONDS)).isTrue();
            AtomicReference<Thread> waits = new AtomicReference<>();
            Future<?> second =
                    threads.submit(
                            () -> {
                                waits.set(Thread.currentThread());
                                ring.push("second");
                            });
            Wait.until("it waits for room in memory", () -> isWaiting(waits.get()));
            Future<?> drop = threads.submit(() -> mine.drop("dropped"));
            assertDropped(second);
            go.countDown();
            drop.get(60, TimeUnit.SECONDS);
            assertDropped(first);
        } finally {
            go.countDown();
            threads.shutdown();
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static void assertDropped(Future<?> push) {
        assertThatThrownBy(() -> push.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NoSuchRing.class);
    }

    /**
     * A listener that asks for the new ring is refused: it is called by the thread that writes to
     * the old ring, and that thread would have to end first.
     */
    @Test
    default void aListenerDoesNotTakeTheNewRingForTheOld() {
        needs(Capability.DURABLE);
        RingSpec spec = RingSpec.named("heard");
        AtomicReference<Slipring> mine = new AtomicReference<>();
        List<Exception> refused = new CopyOnWriteArrayList<>();
        mine.set(
                elsewhere(
                        new Listener() {
                            @Override
                            public void pushed(
                                    String ring, int messages, long bytes, Duration took) {
                                if (refused.isEmpty()) {
                                    slipring().drop("heard");
                                    slipring().create(spec);
                                    try {
                                        mine.get().ring("heard");
                                    } catch (IllegalStateException e) {
                                        refused.add(e);
                                    }
                                }
                            }
                        }));
        mine.get().create(spec).push("old");
        assertThat(refused)
                .singleElement()
                .asString()
                .contains("must not ask for the ring that is in its place meanwhile");
        mine.get().ring("heard").push("new");
        assertThat(takeAll(slipring().ring("heard").stage())).containsExactly("new");
    }

    /**
     * Workers go by the mode of the claim: what is behind a failure in an ordered claim is not
     * handled.
     */
    @Test
    default void messagesAreHandledInTheModeOfTheirClaim() {
        Stage old = nowOrdered(slipring());
        push(slipring().ring("mode"), 3);
        List<String> seen = new CopyOnWriteArrayList<>();
        Handler handler =
                delivery -> {
                    seen.add(delivery.text());
                    if (delivery.text().equals("1") && delivery.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                };
        Wait.until(
                "all are handled",
                () -> {
                    old.drain(handler);
                    retriesComeDue();
                    return seen.size() >= 4;
                });
        assertThat(seen).containsExactly("0", "1", "1", "2");
    }

    /**
     * If the handler of a whole ordered claim throws, only the first message of the claim has
     * failed.
     */
    @Test
    default void aBatchFailsInTheModeOfItsClaim() {
        List<String> told = new CopyOnWriteArrayList<>();
        Slipring heard = heardBy(new Work.Breaks(told));
        Stage old = nowOrdered(heard);
        push(heard.ring("mode"), 20);
        AtomicBoolean failed = new AtomicBoolean();
        List<String> handled = new CopyOnWriteArrayList<>();
        BatchHandler handler =
                claim -> {
                    if (claim.deliveries().size() > 1 && failed.compareAndSet(false, true)) {
                        throw new IllegalStateException("once");
                    }
                    handled.addAll(texts(claim));
                };
        try (Workers workers = old.workBatches(WorkOptions.threads(1), handler)) {
            Wait.until(
                    "all are handled, or the word is refused",
                    () -> {
                        retriesComeDue();
                        return handled.size() == 20 || !told.isEmpty();
                    });
        }
        assertThat(told).isEmpty();
        assertThat(failed).isTrue();
        assertThat(handled).isEqualTo(numbers(20));
    }

    /** A done frees the lane of an ordered stage, so the other workers are woken. */
    @Test
    default void whatIsDoneIsNewsInTheModeOfItsClaim() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        Slipring seen =
                behind(
                        (method, arguments, through) -> {
                            Object answer = through.call();
                            if (answer instanceof Claimed claimed && claimed.isEmpty()) {
                                looked.countDown();
                            }
                            return answer;
                        });
        Stage old = nowOrdered(seen);
        push(seen.ring("mode"), 4);
        CountDownLatch done = new CountDownLatch(4);
        BatchHandler handler =
                claim -> {
                    assertThat(looked.await(60, TimeUnit.SECONDS)).isTrue();
                    claim.done();
                    done.countDown();
                };
        try (Workers workers = old.workBatches(WorkOptions.threads(2).batch(1), handler)) {
            assertThat(done.await(20, TimeUnit.SECONDS)).as("nobody sleeps").isTrue();
        }
    }

    /**
     * A stage that was asked for when it was a pool, and that has been made anew as an ordered one.
     */
    private Stage nowOrdered(Slipring by) {
        Ring ring =
                by.create(
                        RingSpec.named("mode")
                                .lanes(1)
                                .graph(FanOut.to(stage("main")).and(stage("other"))));
        Stage old = ring.stage("main");
        old.remove();
        ring.addStage(stage("main").ordered(), Set.of(), Start.OLDEST);
        return old;
    }
}
