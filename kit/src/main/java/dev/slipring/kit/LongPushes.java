// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A push in a transaction that takes long: it keeps its lane, and holds up nothing else. */
public interface LongPushes extends Promise {

    /** The lanes of the ring. */
    int LANES = 4;

    /** What runs while a transaction keeps a lane, or several. */
    @FunctionalInterface
    interface Meanwhile {
        /** Runs. It may end the transaction; if it does not, the transaction is ended after it. */
        void run(Ring ring, Connection transaction) throws Exception;
    }

    /** A message for one of the four lanes. */
    private Message to(int lane, String text) {
        return to(lane, LANES, text);
    }

    private void whileKept(List<Integer> lanes, Meanwhile meanwhile) throws Exception {
        needs(Capability.LANES);
        try (Slipring real = realTime();
                Connection connection = transaction()) {
            Ring ring = real.create(RingSpec.named("kept").lanes(LANES).graph(stage("main")));
            for (int lane : lanes) {
                ring.join(connection).push(to(lane, "first " + lane));
            }
            meanwhile.run(ring, connection);
            connection.commit();
        }
    }

    private static void await(CompletableFuture<?> pushed) throws Exception {
        pushed.get(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> pushed(Ring ring, Message message) {
        return ring.pushAsync(message, Options.FOREVER).toCompletableFuture();
    }

    /**
     * Messages of other lanes, and messages without a key, go round the kept lane; those of the
     * lane wait and are stored behind the transaction's, in their order.
     */
    @Test
    default void aLaneThatIsKeptHoldsUpOnlyItsOwn() throws Exception {
        List<CompletableFuture<Void>> behind = new ArrayList<>();
        whileKept(
                List.of(1),
                (ring, transaction) -> {
                    for (int i = 0; i < 20; i++) {
                        behind.add(pushed(ring, to(1, "" + i)));
                        ring.push(to(2, "other " + i));
                        ring.push(Message.of("any " + i));
                    }
                    assertThatThrownBy(() -> ring.push(to(1, "late"), Duration.ofMillis(300)))
                            .isInstanceOf(StoreFailed.class);
                    assertThat(behind).noneMatch(CompletableFuture::isDone);
                    transaction.commit();
                    for (CompletableFuture<Void> each : behind) {
                        await(each);
                    }
                    ring.push(to(1, "last"));
                    List<String> all = takeAll(ring.stage());
                    assertThat(all).hasSize(62);
                    assertThat(all.stream().filter(text -> text.matches("(first|last|\\d).*")))
                            .containsExactlyElementsOf(
                                    Stream.of(List.of("first 1"), numbers(20), List.of("last"))
                                            .flatMap(List::stream)
                                            .toList());
                });
    }

    /**
     * A push whose time-out ends while its lane is kept fails in time and says why, and none of its
     * messages is stored.
     */
    @Test
    default void whoWaitsForALaneIsToldWithinHisTimeOut() throws Exception {
        whileKept(
                List.of(1),
                (ring, transaction) -> {
                    List<Message> both = List.of(to(1, "x"), to(2, "y"), Message.of("z"));
                    for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(300))) {
                        assertThatThrownBy(() -> ring.pushAll(both, timeout))
                                .isInstanceOf(LaneKept.class)
                                .hasMessageContaining("ring 'kept' has lanes that are kept (1)")
                                .hasMessageContaining("still open");
                    }
                    transaction.commit();
                    assertThat(takeAll(ring.stage())).containsExactly("first 1");
                    ring.pushAll(both);
                    assertThat(takeAll(ring.stage())).containsExactlyInAnyOrder("x", "y", "z");
                });
    }

    /** If several lanes are kept by different transactions, each lane goes on when its own ends. */
    @Test
    default void lanesThatAreKeptDoNotWaitForOneAnother() throws Exception {
        whileKept(
                List.of(1),
                (ring, transaction) -> {
                    try (Connection other = bed().connect()) {
                        other.setAutoCommit(false);
                        ring.join(other).push(to(2, "first 2"));
                        CompletableFuture<Void> one = pushed(ring, to(1, "one"));
                        CompletableFuture<Void> two = pushed(ring, to(2, "two"));
                        await(pushed(ring, to(3, "three")));
                        other.commit();
                        await(two);
                        assertThat(one).isNotDone();
                        transaction.commit();
                        await(one);
                    }
                });
    }

    /** If all lanes are kept, every push waits, and none longer than its time-out. */
    @Test
    default void whereAllLanesAreKeptAllWait() throws Exception {
        whileKept(
                List.of(0, 1, 2, 3),
                (ring, transaction) -> {
                    CompletableFuture<Void> keyed = pushed(ring, to(1, "keyed"));
                    CompletableFuture<Void> free = pushed(ring, Message.of("free"));
                    assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ZERO))
                            .hasMessageContaining("kept (0, 1, 2, 3)");
                    assertThat(List.of(keyed, free)).noneMatch(CompletableFuture::isDone);
                    transaction.commit();
                    await(keyed);
                    await(free);
                    assertThat(takeAll(ring.stage())).contains("keyed", "free").hasSize(6);
                });
    }

    /**
     * Closing the store does not wait for the kept lane; pushes that wait for it fail, and are not
     * stored.
     */
    @Test
    default void aStoreIsClosedWhileALaneIsKept() throws Exception {
        needs(Capability.LANES);
        try (Connection connection = transaction()) {
            CompletableFuture<Void> behind;
            try (Slipring real = realTime()) {
                Ring ring = real.create(RingSpec.named("kept").lanes(LANES).graph(stage("main")));
                ring.join(connection).push(to(1, "first"));
                behind = pushed(ring, to(1, "behind"));
                await(pushed(ring, to(2, "beside")));
            }
            assertThatThrownBy(behind::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(StoreFailed.class);
            connection.commit();
            assertThat(takeAll(slipring().ring("kept").stage()))
                    .containsExactlyInAnyOrder("first", "beside");
        }
    }

    /** In a ring of one lane, a message without a key does not overtake one that has a key. */
    @Test
    default void inOneLaneNothingGoesBy() throws Exception {
        needs(Capability.LANES);
        try (Slipring real = realTime();
                Connection connection = transaction()) {
            Ring ring = real.create(RingSpec.named("one").lanes(1).graph(stage("main")));
            ring.join(connection).push(Message.of("0").key("key"));
            CompletableFuture<Void> keyed = pushed(ring, Message.of("1").key("key"));
            CompletableFuture<Void> free = pushed(ring, Message.of("2"));
            assertThatThrownBy(() -> ring.push(Message.of("x"), Duration.ofMillis(300)))
                    .isInstanceOf(StoreFailed.class);
            connection.commit();
            await(keyed);
            await(free);
            assertThat(takeAll(ring.stage())).containsExactly("0", "1", "2");
        }
    }
}
