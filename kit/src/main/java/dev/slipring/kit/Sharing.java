// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Survey.InHand;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A claim that several workers share: who is slow, who stops, and what fails in it. */
public interface Sharing extends Promise {

    /** A handler that takes long keeps nothing else waiting, and what others did is done. */
    @Test
    default void aSlowHandlerKeepsNothingElseWaiting() throws Exception {
        Ring ring = ring("fair");
        CountDownLatch go = new CountDownLatch(1);
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (Workers workers =
                ring.stage()
                        .work(
                                2,
                                delivery -> {
                                    if (delivery.text().equals("100")) {
                                        go.await();
                                    }
                                    handled.add(delivery.text());
                                })) {
            try {
                // Claims have become large by the time when it comes.
                push(ring, 100);
                Wait.until("the first are handled", () -> handled.size() == 100);
                ring.pushAll(numbers(200).stream().skip(100).map(Message::of).toList());
                Wait.until("all but the one are handled", () -> handled.size() == 199);
                Wait.until("and done", () -> inHand(ring) == 1);
            } finally {
                go.countDown();
            }
            assertThat(ring.drain(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(ring.info().stages().get(0).redelivered()).isZero();
    }

    private static long inHand(Ring ring) {
        return ring.info().stages().get(0).inHand().stream().mapToLong(InHand::messages).sum();
    }

    /** A stop in the midst of a shared claim: every message is handled once, or goes back. */
    @Test
    default void aStopOfManyGivesBack() throws Exception {
        Ring ring = ring("stopping");
        push(ring, 2_000);
        CountDownLatch begun = new CountDownLatch(300);
        Set<Delivery> handled = ConcurrentHashMap.newKeySet();
        Workers workers =
                ring.stage()
                        .work(
                                4,
                                delivery -> {
                                    begun.countDown();
                                    handled.add(delivery);
                                });
        begun.await();
        workers.close();
        int before = handled.size();
        // What went back stands there under nobody's name.
        assertThat(ring.info().stages().get(0).inHand()).allMatch(hand -> hand.worker().isEmpty());
        assertThat(ring.stage().drain(handled::add)).isEqualTo(2_000 - before);
        assertThat(handled).hasSize(2_000).allMatch(delivery -> delivery.attempt() == 1);
    }

    /** Failures of a shared claim are kept one by one, whoever handled the message. */
    @Test
    default void failuresOfASharedClaim() {
        Ring ring = ring("failing", stage("main").tries(1));
        push(ring, 500);
        try (Workers workers =
                ring.stage()
                        .work(
                                3,
                                delivery -> {
                                    if (delivery.text().endsWith("7")) {
                                        throw new IllegalStateException("a seven");
                                    }
                                })) {
            assertThat(ring.drain(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(ring.stage().deadLetters(100))
                .hasSize(50)
                .allMatch(letter -> letter.delivery().text().endsWith("7"));
    }

    /** An executor with a thread for one of three workers: that one does it all. */
    @Test
    default void oneThreadForManyWorkers() {
        Ring ring = ring("one");
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (Workers workers =
                ring.stage()
                        .work(
                                WorkOptions.threads(3).executor(executor),
                                delivery -> handled.add(delivery.text()))) {
            push(ring, 300);
            assertThat(ring.drain(Duration.ofSeconds(30))).isTrue();
        } finally {
            executor.shutdown();
        }
        assertThat(handled).hasSize(300);
    }
}
