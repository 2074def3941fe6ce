// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The judge finds each kind of broken promise in journals that show it, and none in good ones. */
class JudgeTest extends Journals {

    @Test
    void aGoodDayIsGood() throws IOException {
        Verdict verdict = goodDay().judge();
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.messages()).isEqualTo(2);
        assertThat(verdict.lost()).isZero();
    }

    @Test
    void aCutLineIsLeftOut() throws IOException {
        goodDay();
        Files.writeString(folder.resolve("worker-9.journal"), "claim 99 98 take 0 5,1");
        assertThat(judge().violations()).isEmpty();
    }

    @Test
    void anAcknowledgedMessageThatNobodySaw() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        assertThat(judge().lost()).isEqualTo(1);
        finds(1, "0 are there");
    }

    @Test
    void aMessageThatIsThereTwice() throws IOException {
        goodDay();
        done("take", 20_000, "2,1,1,0,1");
        finds(1, "and at 0-0");
    }

    @Test
    void aPushThatWasRolledBack() throws IOException {
        producer.set(1, "pushed 2000 1 rolledback");
        goodDay();
        finds(9, "2 are there");
    }

    @Test
    void halfAPush() throws IOException {
        producer.set(0, "push 1000 1 0 3 all");
        producer.set(1, "pushed 2000 1 unknown");
        goodDay();
        finds(8, "2 are there");
    }

    @Test
    void twoLiveClaims() throws IOException {
        goodDay();
        claim(other, "take", 3_100, "1,1,1,1,1");
        finds(2, "two live claims");
    }

    @Test
    void aMessageThatWasDoneAndCameAgain() throws IOException {
        goodDay();
        done("index", LATER, "1,1,1,1,2");
        finds(3, "was done, and came again");
    }

    @Test
    void whatAServerForgotMayComeAgain() throws IOException {
        aMessageThatWasDoneAndCameAgain();
        claim(other, "take", 13_000, "1,1,1,1,1");
        controller.addAll(List.of("server 12000 down", "server 14000 up"));
        assertThat(judge().violations()).extracting(Violation::promise).containsOnly(3);
        controller.add("forgets 1 words");
        assertThat(judge().violations()).isEmpty();
    }

    @Test
    void afterACalmTimeNothingIsForgotten() throws IOException {
        controller.addAll(List.of("forgets 1 words", "server 2000000 down", "server 2100000 up"));
        aMessageThatWasDoneAndCameAgain();
    }

    @Test
    void afterARewindItMayComeAgain() throws IOException {
        goodDay();
        controller.addAll(List.of("order 900000 rewind index", "obeyed 910000 ok"));
        done("index", LATER, "1,1,1,1,1");
        assertThat(judge().violations()).isEmpty();
    }

    @Test
    void aWordAfterTheLease() throws IOException {
        goodDay();
        worker.clear();
        goodDay();
        claim(other, "index", LATER, "2,1,1,2,1");
        word(other, "index", 2 * LATER, "-1 done", "ok");
        finds(7, "after its lease");
    }

    @Test
    void aWordAfterTheHandingOn() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        claim(worker, "index", LATER, "2,1,1,2,1");
        claim(other, "index", LATER + 1_000, "2,1,1,2,2");
        word(worker, "index", LATER + 9_000, "-1 done", "ok");
        finds(7, "had lost it");
    }

    @Test
    void aWordOnTheRestAfterAFailureThatWasHandedOn() throws IOException {
        goodDay();
        worker.removeIf(line -> line.contains("index"));
        claim(worker, "index", 7_000, "0,2,1,0,1");
        word(worker, "index", 8_000, "0 fail 0", "ok");
        claim(other, "index", 8_600, "0,1,1,0,2");
        word(worker, "index", 9_200, "-1 done", "ok");
        word(other, "index", 9_800, "-1 done", "ok");
        assertThat(judge().violations()).noneMatch(v -> v.promise() == 7);
    }

    @Test
    void anOrderedStageThatGoesOnBeforeItsFailure() throws IOException {
        producer.set(0, "push 1000 1 0 3 all");
        done("take", 3_000, "0,3,1,0,1");
        claim(worker, "book", 7_000, "0,1,1,0,1");
        word(worker, "book", 8_000, "0 fail 100", "ok");
        done("book", 20_000, "1,2,1,1,1");
        finds(4, "came before 0");
        assertThat(judge().violations().get(0).history().toString())
                .contains("claims of book 0 to 0", "fail of 0", "claims of book 1 to 2");
    }

    /**
     * The first message of the forgotten claim may have failed in an earlier stage meanwhile; it
     * comes when its retry is done.
     */
    @Test
    void anOrderedStageBeganNothingInAClaimThatTheServerForgot() throws IOException {
        producer.set(0, "push 1000 1 0 3 all");
        done("take", 3_000, "0,3,1,0,1");
        claim(worker, "book", 7_000, "0,3,1,0,1");
        controller.addAll(List.of("server 8000 down", "server 9000 up"));
        done("book", 2_000_000, "1,2,1,1,1");
        finds(4, "came before 0");
        controller.add("forgets 1 words");
        assertThat(judge().violations()).noneMatch(v -> v.promise() == 4);
    }

    @Test
    void anOrderedStageThatPassesWhatItNeverHad() throws IOException {
        producer.set(0, "push 1000 1 0 3 all");
        done("take", 3_000, "0,3,1,0,1");
        done("book", 7_000, "1,2,1,1,1");
        done("book", 20_000, "0,1,1,0,1");
        finds(4, "came first when 2 had come");
        worker.clear();
        claim(worker, "take", 3_000, "0,3,1,0,1");
        word(worker, "take", 3_600, "0 fail 10", "ok");
        word(worker, "take", 4_200, "-1 done", "ok");
        done("book", 7_000, "1,2,1,1,1");
        done("take", 15_000, "0,1,1,0,2");
        done("book", 20_000, "0,1,1,0,1");
        assertThat(judge().violations()).noneMatch(v -> v.promise() == 4);
    }

    @Test
    void aKeyInTwoLanes() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 2 0 1 one", "pushed 4000 2 ok"));
        worker.add("claim 20500 20000 take 1 0,1,2,0,1");
        finds(4, "with the key key0 stands in lane 1, another in lane 0");
    }

    @Test
    void aSecondHandAfterADoneThatWasRolledBack() throws IOException {
        goodDay();
        worker.removeIf(line -> line.contains("post"));
        claim(worker, "post", 11_000, "0,2,1,0,1");
        word(worker, "post", 12_000, "-1 joined", "rolledback");
        claim(other, "post", 20_000, "0,2,1,0,2");
        finds(2, "two live claims");
    }

    @Test
    void aLaneInTheWrongOrder() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 2 all", "pushed 4000 1 ok"));
        done("take", 20_000, "5,1,1,2,1;4,1,1,3,1");
        finds(4, "pushed earlier");
    }

    @Test
    void aStageInFrontOfTheOneThatItFollows() throws IOException {
        goodDay();
        worker.clear();
        done("index", 2_500, "0,2,1,0,1");
        done("take", 5_000, "0,2,1,0,1");
        finds(5, "'take' was not done");
    }

    @Test
    void aStageThatNeverDidIt() throws IOException {
        goodDay();
        worker.removeIf(line -> line.contains("book"));
        finds(3, "'book' never did");
    }

    @Test
    void anEffectThatIsThereTwiceOrNot() throws IOException {
        goodDay();
        effects = List.of(new Effect(1, 0, 1), new Effect(1, 0, 1));
        finds(9, "0-0 has 2 effects");
        finds(9, "0-1 has 0 effects");
    }

    @Test
    void aClaimWhilePaused() throws IOException {
        goodDay();
        controller.addAll(
                List.of(
                        "order 2100 pause take",
                        "obeyed 2200 ok",
                        "order 5000 resume take",
                        "obeyed 5100 ok"));
        finds(4, "while paused");
    }

    /**
     * A message that failed in an earlier stage and so comes late is itself due, however far back
     * it stands.
     */
    @Test
    void whatArrivesLateIsNotNewer() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 2 all", "pushed 4000 1 ok"));
        claim(worker, "take", 20_000, "2,2,1,2,1");
        word(worker, "take", 21_000, "3 fail 10", "ok");
        word(worker, "take", 22_000, "-1 done", "ok");
        claim(worker, "take", 200_000, "3,1,1,3,2");
        word(worker, "take", 201_000, "-1 done", "ok");
        claim(worker, "index", 300_000, "2,1,1,2,1");
        claim(other, "index", LATER, "3,1,1,3,1");
        claim(worker, "index", 2 * LATER, "2,1,1,2,2");
        assertThat(judge().violations())
                .noneMatch(violation -> violation.toString().contains("newer ones came first"));
    }

    /**
     * A lane may be locked by another worker for a moment: that it is passed over then is no
     * finding.
     */
    @Test
    void newerOnesOfAnotherLaneBeforeWhatRanOut() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 all", "pushed 4000 1 ok"));
        producer.addAll(List.of("push 5000 1 3 2 all", "pushed 6000 1 ok"));
        claim(worker, "take", 20_000, "2,1,1,2,1");
        claimIn(1, other, "take", 5_000_000, "0,1,1,3,1");
        claim(worker, "take", 30_000_000, "2,1,1,2,2");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("newer ones"));
        claimIn(1, other, "take", 15_000_000, "1,1,1,4,1");
        finds(3, "newer ones came first");
    }

    @Test
    void newerOnesBeforeWhatRanOut() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 3 all", "pushed 4000 1 ok"));
        claim(worker, "take", 20_000, "2,1,1,2,1");
        claim(other, "take", LATER, "3,2,1,3,1");
        claim(worker, "take", 2 * LATER, "2,1,1,2,2");
        finds(3, "newer ones came first");
    }

    /** A word whose connection broke may be open in the server for longer than its worker knows. */
    @ParameterizedTest
    @CsvSource({"5000, rolledback", "-1000, cut"})
    void whatAnOpenWordHoldsUpIsNotDue(long later, String outcome) throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 3 all", "pushed 4000 1 ok"));
        claim(worker, "take", 20_000, "2,1,1,2,1");
        worker.add("word 30000 take -1 joined");
        worker.add("said " + (LATER + later) + " take " + outcome);
        claim(other, "take", LATER, "3,2,1,3,1");
        claim(worker, "take", 2 * LATER, "2,1,1,2,2");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("newer ones"));
    }

    @Test
    void anOrderedMessageThatMayHaveDiedUnheardOf() throws IOException {
        producer.set(0, "push 1000 1 0 3 all");
        done("take", 3_000, "0,3,1,0,1");
        claim(worker, "book", 7_000, "0,1,1,0,4");
        done("book", 20_000, "1,2,1,1,1");
        finds(4, "came before 0");
        worker.removeIf(line -> line.contains(" book "));
        claim(worker, "book", 7_000, "0,1,1,0,4");
        done("book", 2_000_000, "1,2,1,1,1");
        assertThat(judge().violations()).noneMatch(v -> v.promise() == 4);
    }

    @Test
    void theHistoryOfABreakIsTold() throws IOException {
        goodDay();
        done("index", LATER, "1,1,1,1,2");
        List<String> story = judge().violations().get(0).history();
        assertThat(story.get(0)).contains("producer-1 pushes 0 to 1");
        assertThat(story).anyMatch(line -> line.contains("worker-1 claims of index"));
    }
}
