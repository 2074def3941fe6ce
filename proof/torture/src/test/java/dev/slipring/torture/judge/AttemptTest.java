// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;

/** The number of each attempt, and what the stages counted. */
class AttemptTest extends Journals {

    private static final String COUNTED = "came at attempt";

    /** A message that comes a second time, after a word and its answer. */
    private void twice(String stage, String word, String answer, int attempt) throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        claim(worker, stage, 20_000, "2,1,1,2,1");
        if (!word.isEmpty()) {
            word(worker, stage, 21_000, word, answer);
        }
        claim(other, stage, LATER, "2,1,1,2," + attempt);
    }

    @ParameterizedTest
    @CsvSource({
        "2 fail 0, ok, 2", "'', '', 2", "-1 back, ok, 1", "-1 back, unknown, 1",
        "-1 back, unknown, 2", "-1 extend, ok, 2", "-1 done, fenced, 2"
    })
    void whatCountsIsCounted(String word, String answer, int attempt) throws IOException {
        twice("take", word, answer, attempt);
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(COUNTED));
    }

    @ParameterizedTest
    @CsvSource({
        "2 fail 0, ok, 1", "2 fail 0, ok, 3", "'', '', 1", "'', '', 3", "-1 back, ok, 2",
        "-1 back, unknown, 3", "-1 done, fenced, 1"
    })
    void whatIsCountedWronglyIsFound(String word, String answer, int attempt)
            throws IOException {
        twice("take", word, answer, attempt);
        finds(3, COUNTED + " " + attempt + " after attempt 1");
    }

    /** Such a claim may have held it meanwhile, if there was time for its lease. */
    @ParameterizedTest
    @ValueSource(longs = {21_000, 8_000_000})
    void aClaimWhoseAnswerNobodyGot(long asked) throws IOException {
        twice("take", "2 fail 0", "ok", 3);
        other.add(0, "ask " + asked + " take 9");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(COUNTED));
        other.set(0, "ask " + (LATER - 1_000_000) + " take 9");
        finds(3, COUNTED);
        other.set(0, "ask " + asked + " index 9");
        finds(3, COUNTED);
        other.set(0, "ask " + asked + " take 9");
        other.add(1, "none " + (asked + 100) + " " + asked + " take");
        finds(3, COUNTED);
    }

    @Test
    void aFirstAttemptThatIsNone() throws IOException {
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        goodDay();
        done("take", LATER, "2,1,1,2,2");
        finds(3, "came first at attempt 2");
        other.add("ask 5000 take 9");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("came first"));
    }

    @Test
    void aClaimWhoseAnswerCameLater() throws IOException {
        twice("take", "", "", 1);
        other.clear();
        worker.subList(worker.size() - 1, worker.size()).clear();
        claim(other, "take", 2_000_000, "2,1,1,2,2");
        worker.add("claim 2100000 20000 take 0 2,1,1,2,1");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("attempt"));
        claim(worker, "take", LATER, "2,1,1,2,3");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("attempt"));
        worker.set(worker.size() - 2, "claim 2600000 2500000 take 0 2,1,1,2,1");
        finds(3, "came first at attempt 2");
    }

    /** What was behind the first piece of an ordered claim that ran out is as good as new. */
    @Test
    void theRestOfAnOrderedClaimMayBeginAnew() throws IOException {
        twice("book", "", "", 1);
        assertThat(judge().violations()).noneMatch(v -> v.words().contains(COUNTED));
        worker.clear();
        other.clear();
        twice("book", "2 fail 0", "ok", 1);
        finds(3, COUNTED);
    }

    @Test
    void aDeadLetterIsCountedFromOne() throws IOException {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        claim(worker, "take", 20_000, "2,1,1,2,5");
        word(worker, "take", 21_000, "2 fail 0", "ok");
        claim(other, "take", LATER, "2,1,1,2,1");
        finds(3, "came at attempt 1 after attempt 5");
        controller.addAll(List.of("order 9000000 retry take 0-2", "obeyed 9100000 ok 1"));
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("after attempt 5"));
        controller.set(0, "order 9000000 retry take 0-1");
        finds(3, "came at attempt 1 after attempt 5");
        controller.set(0, "order 9000000 retry take 0-2");
        other.clear();
        claim(other, "take", LATER, "2,1,1,2,2");
        finds(3, "came at attempt 2 after attempt 5");
    }

    @Test
    void whatStagesCount() throws IOException {
        twice("take", "2 fail 0", "ok", 2);
        controller.add("tally 90000 take 1 1");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("counted"));
        for (String wrong : List.of("0 1", "2 1", "1 0", "1 2")) {
            controller.set(0, "tally 90000 take " + wrong);
            finds(3, "counted");
        }
        other.add("ask 5000 take 1");
        controller.set(0, "tally 90000 take 2 2");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("counted"));
        controller.set(0, "tally 90000 take 3 2");
        finds(3, "counted 3 redelivered, its workers saw 1 to 2");
    }

    @Test
    void aServerThatForgetsForgetsCounts() throws IOException {
        twice("take", "2 fail 0", "ok", 2);
        controller.add("tally 90000 take 0 0");
        controller.addAll(List.of("server 50000 down", "server 60000 up"));
        finds(3, "counted");
        controller.add("forgets 1 words");
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("counted"));
    }
}
