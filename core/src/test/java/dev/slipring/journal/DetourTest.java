// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.Pause;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A journal in front of a store whose lanes are kept by plan. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DetourTest {

    private static final int LANES = 4;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final Set<Integer> kept = ConcurrentHashMap.newKeySet();
    private final List<String> stored = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> producers = Collections.synchronizedList(new ArrayList<>());
    private final Map<Long, Integer> triedInVain = new ConcurrentHashMap<>();
    private final Set<Long> numbers = ConcurrentHashMap.newKeySet();
    private final Deque<Throwable> plan = new ArrayDeque<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch slow = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Journal journal =
            new Journal(
                    (Store)
                            Proxy.newProxyInstance(
                                    Store.class.getClassLoader(),
                                    new Class<?>[] {Store.class},
                                    (proxy, method, args) -> call(method.getName(), args)),
                    "ring",
                    LANES,
                    1 << 20,
                    new Signal(),
                    new Watcher("ring", Listener.NONE));

    @AfterEach
    void close() {
        open.countDown();
        over.countDown();
        kept.clear();
        journal.close();
    }

    private Object call(String method, Object[] args) throws Throwable {
        if (method.equals("pushed")) {
            return 0L;
        } else if (!method.endsWith("ush")) {
            throw new StoreFailed("nobody knows");
        }
        List<Slot> slots = slots(args[1]);
        writing.countDown();
        open.await(60, TimeUnit.SECONDS);
        Set<Integer> keptNow = Set.copyOf(kept);
        if (slots.stream().anyMatch(slot -> keptNow.contains(slot.lane()))) {
            triedInVain.merge(slots.get(0).producer(), 1, Integer::sum);
            return keptNow;
        }
        if (texts(slots).contains("slow")) {
            slow.countDown();
            over.await(60, TimeUnit.SECONDS);
        }
        if (texts(slots).contains("busy")) {
            // So long that more comes meanwhile.
            Pause.sleep(TimeUnit.MILLISECONDS.toNanos(2));
        }
        Throwable failure;
        synchronized (plan) {
            failure = texts(slots).contains("planned") ? plan.poll() : null;
        }
        slots.forEach(slot -> numbers.add(slot.number()));
        if (failure != null) {
            throw failure;
        }
        stored.addAll(texts(slots));
        slots.forEach(slot -> producers.add(slot.producer()));
        return Set.of();
    }

    @SuppressWarnings("unchecked")
    private static List<Slot> slots(Object argument) {
        return (List<Slot>) argument;
    }

    private static List<String> texts(List<Slot> slots) {
        return slots.stream()
                .flatMap(
                        slot ->
                                IntStream.range(0, slot.count())
                                        .mapToObj(i -> SlotCodec.decode(slot.body(), i).text()))
                .toList();
    }

    private static Message to(int lane, String text) {
        String key =
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "key" + i)
                        .filter(any -> Lanes.of(any, LANES) == lane)
                        .findFirst()
                        .orElseThrow();
        return Message.of(text).key(key);
    }

    private CompletableFuture<Void> add(Message... messages) {
        return journal.add(List.of(messages), MINUTE);
    }

    private static void await(CompletableFuture<Void> pushed) throws Exception {
        pushed.get(60, TimeUnit.SECONDS);
    }

    /** All that is added while the store does not answer is one group. */
    private void gather() throws InterruptedException {
        journal.add(List.of(to(0, "first")), MINUTE);
        assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatIsPushedTogetherBringsWhatStandsBeforeItInEachLane() throws Exception {
        gather();
        List<CompletableFuture<Void>> behind = new ArrayList<>();
        behind.add(add(to(3, "a"), to(2, "a")));
        behind.add(add(to(2, "b")));
        behind.add(add(to(1, "c"), to(2, "c")));
        behind.add(add(to(2, "d")));
        CompletableFuture<Void> beside = add(to(0, "beside"));
        kept.add(1);
        open.countDown();
        await(beside);
        await(behind.get(1));
        behind.add(add(to(3, "e"), to(1, "e")));
        behind.add(add(to(3, "f")));
        await(add(to(0, "beside too")));
        assertThat(behind.subList(2, 6)).noneMatch(CompletableFuture::isDone);
        kept.clear();
        for (CompletableFuture<Void> each : behind) {
            await(each);
        }
        assertThat(stored).containsSubsequence("a", "b", "c", "d");
        assertThat(stored).containsSubsequence("a", "c", "e", "f");
        assertThat(stored.stream().filter(text -> text.length() > 1))
                .containsExactly("first", "beside", "beside too");
        assertThat(stored).hasSize(3 + 6 + 3);
    }

    @Test
    void whatComesLaterIsBehindWhatIsJustWritten() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> first = add(to(1, "slow"));
        await(add(to(2, "beside")));
        kept.clear();
        assertThat(slow.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> behind = add(to(1, "behind"));
        await(add(to(2, "beside too")));
        assertThat(behind).isNotDone();
        over.countDown();
        await(first);
        await(behind);
        assertThat(stored).containsExactly("beside", "beside too", "slow", "behind");
    }

    @Test
    void aLaneIsTheWritersAgainOnceNothingWaitsForIt() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> behind = add(to(1, "behind"));
        await(add(to(2, "beside")));
        assertThat(behind).isNotDone();
        kept.clear();
        await(behind);
        kept.add(1);
        assertThatThrownBy(() -> journal.push(List.of(to(1, "late")), 0))
                .hasCauseInstanceOf(StoreFailed.class)
                .hasMessageContaining("ring 'ring' has lanes that are kept (1)");
        kept.clear();
        journal.push(List.of(to(1, "after")), MINUTE);
        assertThat(stored).containsExactly("beside", "behind", "after");
        assertThat(producers.get(1)).isNotEqualTo(producers.get(0));
        long deadline = System.nanoTime() + MINUTE;
        do {
            // The detour is left a moment after what was written there is told.
            journal.push(List.of(to(1, "and after")), MINUTE);
        } while (!producers.get(producers.size() - 1).equals(producers.get(0))
                && System.nanoTime() - deadline < 0);
        assertThat(producers).endsWith(producers.get(0));
    }

    /** Who tries again and again is sent to the detour at once, and holds up nobody. */
    @Test
    void aLaneThatIsKeptIsTriedOnceByTheWriter() {
        open.countDown();
        kept.add(1);
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> journal.push(List.of(to(1, "late")), 0))
                    .hasCauseInstanceOf(StoreFailed.class);
            journal.push(List.of(to(2, "beside")), MINUTE);
        }
        assertThat(triedInVain.get(producers.get(0))).isEqualTo(1);
    }

    /** However busy another lane is that came here, who waits is tried, and told in time. */
    @Test
    void aBusyLaneOnTheDetourHoldsUpNoOther() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> together = add(to(1, "together"), to(2, "together"));
        kept.add(3);
        CompletableFuture<Void> other = add(to(3, "other"));
        await(add(to(0, "beside")));
        AtomicBoolean enough = new AtomicBoolean();
        List<CompletableFuture<Void>> busy = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            busy.add(
                    CompletableFuture.runAsync(
                            () -> {
                                while (!enough.get()) {
                                    journal.add(List.of(to(3, "busy")), MINUTE);
                                }
                            },
                            task -> new Thread(task).start()));
        }
        kept.remove(3);
        await(other);
        assertThatThrownBy(() -> journal.push(List.of(to(1, "late")), MINUTE / 600))
                .hasCauseInstanceOf(StoreFailed.class);
        kept.remove(1);
        await(together);
        enough.set(true);
        for (CompletableFuture<Void> each : busy) {
            await(each);
        }
    }

    @Test
    void whoWaitsIsToldWhenHisTimeIsOver() {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> patient = add(to(1, "patient"));
        assertThatThrownBy(
                        () ->
                                journal.push(
                                        List.of(to(1, "late"), Message.of("too")),
                                        TimeUnit.MILLISECONDS.toNanos(30)))
                .hasCauseInstanceOf(StoreFailed.class);
        assertThat(patient).isNotDone();
        kept.clear();
        patient.join();
        assertThat(stored).containsExactly("patient");
    }

    @Test
    void messagesWithoutAKeyGoToAnotherLane() {
        open.countDown();
        kept.addAll(List.of(0, 1, 2));
        for (int i = 0; i < 20; i++) {
            journal.push(List.of(Message.of("" + i)), MINUTE);
        }
        kept.add(3);
        assertThatThrownBy(() -> journal.push(List.of(Message.of("late")), 0))
                .hasCauseInstanceOf(StoreFailed.class);
        CompletableFuture<Void> patient = add(Message.of("patient"));
        kept.remove(1);
        patient.join();
        assertThat(stored).hasSize(21).endsWith("19", "patient").doesNotContain("late");
    }

    /** The second time it waits for the lane, under the number that it had. */
    @Test
    void whatMayBeStoredIsPushedAgainAsItWas() throws Exception {
        open.countDown();
        plan.add(new OutcomeUnknown("cut off"));
        kept.add(1);
        CompletableFuture<Void> behind = add(to(1, "planned"));
        await(add(to(2, "beside")));
        numbers.clear();
        kept.clear();
        await(behind);
        assertThat(numbers).hasSize(1);
        assertThat(stored).containsExactly("beside", "planned");
    }

    @Test
    void whatBreaksAPushBreaksNoneBehindIt() throws Exception {
        open.countDown();
        Stream.of(new StackOverflowError("by plan"), new StoreFailed("by plan")).forEach(plan::add);
        kept.add(1);
        List<CompletableFuture<Void>> broken = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            broken.add(add(to(1, "planned")));
            await(add(to(2, "beside")));
            kept.clear();
            CompletableFuture<Void> each = broken.get(i);
            assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreFailed.class);
            kept.add(1);
        }
        CompletableFuture<Void> behind = add(to(1, "behind"));
        kept.clear();
        await(behind);
        assertThat(stored).containsExactly("beside", "beside", "behind");
    }

    @Test
    void whoFindsNoRoomBehindAKeptLaneWaitsForIt() throws Exception {
        open.countDown();
        Stream.generate(() -> new RingFull("by plan", 0, 0)).limit(3).forEach(plan::add);
        kept.add(1);
        CompletableFuture<Void> behind = add(to(1, "planned"));
        CompletableFuture<Void> next = add(to(1, "next"));
        await(add(to(2, "beside")));
        kept.clear();
        await(behind);
        await(next);
        assertThat(stored).containsExactly("beside", "planned", "next");
    }
}
