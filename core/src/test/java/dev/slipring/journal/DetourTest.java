// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What goes round a kept lane, and what does not. */
class DetourTest extends KeptByPlan {

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

    /** Others that are kept do not keep it here. */
    @Test
    void aLaneIsTheWritersAgainWhileAnotherIsKept() throws Exception {
        open.countDown();
        kept.addAll(List.of(1, 3));
        CompletableFuture<Void> patient = add(to(1, "patient"));
        CompletableFuture<Void> behind = add(to(3, "behind"));
        await(add(to(2, "beside")));
        kept.remove(3);
        await(behind);
        long deadline = System.nanoTime() + MINUTE / 3;
        do {
            journal.push(List.of(to(3, "after")), MINUTE);
        } while (!producers.get(producers.size() - 1).equals(producers.get(0))
                && System.nanoTime() - deadline < 0);
        assertThat(producers).endsWith(producers.get(0));
        assertThat(patient).isNotDone();
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

    /** The writer's try was enough for who does not wait. */
    @Test
    void whoDoesNotWaitIsNotTriedAgain() {
        open.countDown();
        kept.add(1);
        assertThatThrownBy(() -> journal.push(List.of(to(1, "late")), 0))
                .hasCauseInstanceOf(LaneKept.class)
                .hasMessageContaining("kept (1)");
        assertThat(triedInVain.values()).containsExactly(1);
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
        // Who writes may not push; another does, and is waited for.
        busy = () -> CompletableFuture.runAsync(() -> goOn(enough)).join();
        CompletableFuture<Void> first = add(to(3, "busy"));
        kept.remove(3);
        await(other);
        for (int lane : List.of(1, 2)) {
            // Lane 2 is free, but stands behind what waits for lane 1.
            assertThatThrownBy(() -> await(journal.add(List.of(to(lane, "late")), MINUTE / 600)))
                    .hasCauseInstanceOf(LaneKept.class)
                    .hasMessageContaining("kept (1)");
        }
        kept.remove(1);
        await(together);
        enough.set(true);
        await(first);
        // The last of them may still be on its way.
        assertThat(List.copyOf(stored)).filteredOn("busy"::equals).hasSizeGreaterThan(1);
    }

    /** Adds one more to the lane that is being written, and waits until it is behind that. */
    private void goOn(AtomicBoolean enough) {
        if (!enough.get()) {
            add(to(3, "busy"));
            add(to(0, "beside")).join();
        }
    }

    /** Lanes that are kept by turns are never all free at one time. */
    @Test
    void aPushIntoSeveralLanesWaitsForThemAfterAWhile() throws Exception {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> together = add(to(1, "together"), to(2, "together"));
        while (patience.stream().noneMatch(each -> each.compareTo(Writer.BRIEFLY) > 0)) {
            assertThat(together).isNotDone();
        }
        assertThat(patience).as("at first it keeps nobody waiting").contains(Duration.ZERO);
        kept.clear();
        await(together);
    }

    /** It has waited for a second by then, so it has half a second left, or less. */
    @Test
    void aLaneIsWaitedForNoLongerThanWhoWaitsCan() {
        open.countDown();
        kept.add(1);
        CompletableFuture<Void> late =
                journal.add(List.of(to(1, "late"), to(2, "late")), MINUTE / 40);
        assertThatThrownBy(late::join).hasCauseInstanceOf(LaneKept.class);
        assertThat(patience).allMatch(each -> each.toMillis() <= 500);
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

    /** However many they are: who looks at all that stands before each would not come to an end. */
    @Test
    void allWhoWaitAreToldWhenTheirTimeIsOver() {
        open.countDown();
        kept.add(1);
        List<Message> one = List.of(to(1, "kept"));
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            waiting.add(journal.add(one, TimeUnit.SECONDS.toNanos(3)));
        }
        for (CompletableFuture<Void> each : waiting) {
            assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LaneKept.class);
        }
        assertThat(stored).isEmpty();
    }
}
