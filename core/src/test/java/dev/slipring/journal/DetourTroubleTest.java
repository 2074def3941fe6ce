// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What becomes of pushes on the detour that meet something else there. */
class DetourTroubleTest extends KeptByPlan {

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
                    .hasCauseInstanceOf(SlipringException.class)
                    .hasMessageContaining(i == 0 ? "may or may not" : "by plan");
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

    /** Whatever stands in the way the second time, the first may still be under way. */
    @Test
    void whatMayBeStoredKeepsItsNumberWhateverComesBetween() throws Exception {
        gather();
        Stream.of(
                        new OutcomeUnknown("cut off"),
                        new RingFull("by plan", 1, 1 << 20),
                        new StoreFailed("by plan"))
                .forEach(plan::add);
        CompletableFuture<Void> one = add(to(2, "planned"));
        CompletableFuture<Void> two = add(to(2, "together"));
        numbers.clear();
        open.countDown();
        await(one);
        await(two);
        assertThat(numbers).as("that of the first and theirs").hasSize(2);
        assertThat(stored).containsExactly("first", "planned", "together");
    }

    /** A lane that was kept before is tried before anybody is refused because of it. */
    @Test
    void nobodyIsRefusedForALaneThatWasNotTried() {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> patient = add(to(1, "patient"));
        for (int i = 0; i < 20; i++) {
            kept.add(3);
            assertThatThrownBy(() -> journal.push(List.of(to(3, "kept")), 0))
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasMessageContaining("kept (3)");
            kept.remove(3);
            journal.push(List.of(to(3, "free")), 0);
        }
        assertThat(patient).isNotDone();
        kept.clear();
        patient.join();
        assertThat(stored.stream().filter("free"::equals)).hasSize(20);
    }

    /** Its lane is free, but what stands before it there waits for another as well. */
    @Test
    void whoStandsBehindAPushIntoSeveralLanesIsToldInTime() {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> both = add(to(0, "both"), to(1, "both"));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> journal.push(List.of(to(0, "late")), MINUTE / 600))
                    .hasCauseInstanceOf(StoreFailed.class)
                    .hasMessageContaining("kept (1)");
        }
        assertThat(heard()).hasSize(3).hasOnlyElementsOfType(LaneKept.class);
        assertThat(both).isNotDone();
        kept.clear();
        both.join();
        assertThat(stored).containsExactly("both", "both");
    }

    /** The ring was made anew with more lanes than are known here. */
    @Test
    void lanesThatAreNotKnownHereKeepNobodyForLonger() {
        open.countDown();
        kept.addAll(List.of(1, LANES, LANES + 3));
        assertThatThrownBy(() -> journal.push(List.of(to(1, "late")), MINUTE / 600))
                .hasCauseInstanceOf(LaneKept.class)
                .hasMessageContaining("kept (1)");
        CompletableFuture<Void> patient = add(to(1, "patient"));
        journal.close();
        assertThatThrownBy(patient::join).hasCauseInstanceOf(LaneKept.class);
    }

    /** Messages without a key go anywhere, however often lanes were kept before. */
    @Test
    void aLaneThatWasKeptIsNoReasonToRefuse() {
        open.countDown();
        for (int i = 0; i < 2 * LANES; i++) {
            kept.addAll(List.of(0, 1, 2, 3));
            assertThatThrownBy(() -> journal.push(List.of(Message.of("late")), 0))
                    .hasCauseInstanceOf(StoreFailed.class);
            kept.clear();
            kept.add(i % LANES);
            journal.push(List.of(Message.of("goes")), 0);
        }
        assertThat(stored).hasSize(2 * LANES).containsOnly("goes");
    }

    /** Who is told of a push that took the detour is told elsewhere. */
    @Test
    void whoIsToldMayWaitForAKeptLane() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> told =
                add(to(1, "behind"))
                        .thenRun(
                                () -> {
                                    kept.add(1);
                                    journal.push(List.of(to(1, "late")), MINUTE / 600);
                                });
        await(add(to(2, "beside")));
        kept.clear();
        assertThatThrownBy(() -> told.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreFailed.class)
                .hasMessageContaining("kept (1)");
        assertThat(stored).containsExactly("beside", "behind");
    }

    /** It would wait for the thread that is telling it. */
    @Test
    void aListenerThatHearsOfAKeptLaneMustNotPush() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> pushed = new CompletableFuture<>();
        hears =
                () -> {
                    try {
                        journal.push(List.of(to(2, "meanwhile")), MINUTE);
                        pushed.complete(null);
                    } catch (IllegalStateException e) {
                        pushed.completeExceptionally(e);
                    }
                };
        CompletableFuture<Void> late = journal.add(List.of(to(1, "late")), MINUTE / 600);
        assertThatThrownBy(() -> pushed.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must not push meanwhile");
        assertThatThrownBy(late::join).hasCauseInstanceOf(LaneKept.class);
        assertThat(stored).isEmpty();
    }
}
