// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.time.Duration;
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
import java.util.stream.IntStream;

/** A journal in front of a store whose lanes are kept by plan. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class KeptByPlan {

    static final int LANES = 4;
    static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    final Set<Integer> kept = ConcurrentHashMap.newKeySet();
    final List<String> stored = Collections.synchronizedList(new ArrayList<>());
    final List<Long> producers = Collections.synchronizedList(new ArrayList<>());
    final Map<Long, Integer> triedInVain = new ConcurrentHashMap<>();
    final Set<Long> numbers = ConcurrentHashMap.newKeySet();
    final Deque<Throwable> plan = new ArrayDeque<>();

    /** How long pushes into several lanes would wait for one of them. */
    final Set<Duration> patience = ConcurrentHashMap.newKeySet();

    /** What happens while a message "busy" is written. */
    volatile Runnable busy = () -> {};

    /** What a listener does when it hears of an error of the store. */
    volatile Runnable hears = () -> {};

    final CountDownLatch open = new CountDownLatch(1);
    final CountDownLatch writing = new CountDownLatch(1);
    final CountDownLatch slow = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);
    final Journal journal =
            new Journal(
                    (Store)
                            Proxy.newProxyInstance(
                                    Store.class.getClassLoader(),
                                    new Class<?>[] {Store.class},
                                    (proxy, method, args) -> call(method.getName(), args)),
                    "ring",
                    LANES,
                    8 << 20,
                    new Signal(),
                    new Watcher("ring", listener()));

    /** What listeners heard of the store. */
    private final List<SlipringException> heard = Collections.synchronizedList(new ArrayList<>());

    private Listener listener() {
        return new Listener() {
            @Override
            public void storeFailed(String ring, SlipringException error) {
                heard.add(error);
                hears.run();
            }
        };
    }

    List<SlipringException> heard() {
        return heard;
    }

    @AfterEach
    void close() {
        open.countDown();
        over.countDown();
        kept.clear();
        busy = () -> {};
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
        if (slots.size() > 1) {
            patience.add((Duration) args[2]);
        }
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
            busy.run();
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

    static Message to(int lane, String text) {
        String key =
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "key" + i)
                        .filter(any -> Lanes.of(any, LANES) == lane)
                        .findFirst()
                        .orElseThrow();
        return Message.of(text).key(key);
    }

    CompletableFuture<Void> add(Message... messages) {
        return journal.add(List.of(messages), MINUTE);
    }

    static void await(CompletableFuture<Void> pushed) throws Exception {
        pushed.get(60, TimeUnit.SECONDS);
    }

    /** All that is added while the store does not answer is one group. */
    void gather() throws InterruptedException {
        journal.add(List.of(to(0, "first")), MINUTE);
        assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
