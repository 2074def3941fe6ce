// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;

/** Words and pushes that were refused without a reason. */
class RefusalTest extends Journals {

    private static final String LATE = "was refused as late while the lease lasted";
    private static final String ROOM = "was refused for want of room";

    @BeforeEach
    void threeMore() {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 3 all", "pushed 4000 1 ok"));
    }

    private void claimed() {
        claim(worker, "take", 20_000, "2,3,1,2,1");
    }

    @Test
    void aWordInTimeIsNotLate() throws IOException {
        claimed();
        word(worker, "take", 1_000_000, "-1 done", "fenced");
        finds(7, LATE);
        controller.addAll(List.of("order 900000 rewind take", "obeyed 910000 ok"));
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(LATE));
    }

    @Test
    void aWordAfterTheLeaseIsLate() throws IOException {
        claimed();
        word(worker, "take", 1_500_000, "-1 done", "fenced");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(LATE));
        worker.subList(worker.size() - 2, worker.size()).clear();
        word(worker, "take", 1_000_000, "-1 extend", "ok");
        word(worker, "take", 2_000_000, "-1 done", "fenced");
        finds(7, LATE);
    }

    /** What was said before may have ended the claim, or has not. */
    @ParameterizedTest
    @CsvSource({
        "-1 done, ok, false", "-1 done, unknown, false", "2+3 joined, ok, false",
        "2+2 joined, ok, true", "2+2 joined, cut, false", "2+3 joined, rolledback, true",
        "3 fail 0, ok, true", "-1 back, ok, false"
    })
    void whatWasSaidBefore(String word, String answer, boolean left) throws IOException {
        claimed();
        word(worker, "take", 500_000, word, answer);
        word(worker, "take", 1_000_000, "-1 done", "fenced");
        assertThat(judge().violations().stream().anyMatch(v -> v.words().contains(LATE)))
                .isEqualTo(left);
    }

    @Test
    void aFailureEndsAnOrderedClaim() throws IOException {
        claim(worker, "book", 20_000, "2,3,1,2,1");
        word(worker, "book", 500_000, "2 fail 0", "ok");
        word(worker, "book", 1_000_000, "-1 done", "fenced");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(LATE));
    }

    /** The ring has room for four messages in slots of one; five are there, and two are done. */
    @Test
    void aPushIsRefusedOnlyWhereThereIsNoRoom() throws IOException {
        controller.add("room 1 6 1 1");
        producer.addAll(List.of("push 50000 1 5 1 one", "pushed 60000 1 full"));
        finds(6, ROOM + ", and 3 messages at most were there");
        controller.set(0, "room 1 4 1 1");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(ROOM));
        controller.set(0, "room 1 6 1 2");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(ROOM));
        controller.set(0, "room 1 6 1 1");
        controller.addAll(List.of("order 40000 add visit", "obeyed 41000 ok"));
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(ROOM));
        controller.addAll(List.of("order 42000 remove visit", "obeyed 43000 ok"));
        finds(6, ROOM);
    }

    @Test
    void whatIsNotDoneInOneStageKeepsItsRoom() throws IOException {
        controller.add("room 1 6 1 1");
        producer.addAll(List.of("push 50000 1 5 1 one", "pushed 60000 1 full"));
        finds(6, ROOM);
        worker.removeIf(line -> line.startsWith("said") && line.contains("index"));
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(ROOM));
    }

    @Test
    void whatIsRefusedForRoomIsNotThere() throws IOException {
        producer.set(3, "pushed 4000 1 full");
        assertThat(judge().violations()).isEmpty();
        done("take", 20_000, "2,3,1,2,1");
        finds(8, "ended as 'full', 3 are there");
    }
}
