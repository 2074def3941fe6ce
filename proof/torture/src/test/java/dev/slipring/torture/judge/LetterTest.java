// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** Dead letters: which messages, after which attempts, and what became of them. */
class LetterTest extends Journals {

    @BeforeEach
    void aMessageDies() {
        goodDay();
        producer.addAll(List.of("push 3000 1 2 1 one", "pushed 4000 1 ok"));
        done("take", 15_000, "2,1,1,2,1");
        for (int attempt = 1; attempt <= 5; attempt++) {
            claim(worker, "index", 100_000 * attempt, "2,1,1,2," + attempt);
            word(worker, "index", 100_000 * attempt + 1_000, "2 fail 0", "ok");
        }
        controller.add("letter 900000 890000 index 0 2,1,1,2,5 FAILURE");
    }

    private void isGood() throws IOException {
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("dead letter"));
    }

    @Test
    void whatIsSoIsGood() throws IOException {
        isGood();
    }

    @Test
    void anotherMessage() throws IOException {
        controller.set(0, "letter 900000 890000 index 0 2,1,1,1,5 FAILURE");
        finds(3, "dead letter 0-2 is not the message that stands there");
    }

    @Test
    void tooFewAttempts() throws IOException {
        controller.set(0, "letter 900000 890000 index 0 2,1,1,2,4 FAILURE");
        finds(3, "dead letter 0-2 had 4 attempts");
    }

    @Test
    void theLastAttemptIsNobodys() throws IOException {
        worker.removeIf(line -> line.startsWith("claim") && line.endsWith("2,1,1,2,5"));
        worker.subList(worker.size() - 2, worker.size()).clear();
        finds(3, "was in no hand for the last time");
        // A worker that got no answer may have had it, and nobody knows how that ended.
        other.add("ask 450000 index 9");
        controller.set(0, "letter 2000000 1900000 index 0 2,1,1,2,5 LEASE");
        isGood();
    }

    @Test
    void anotherCause() throws IOException {
        controller.set(0, "letter 900000 890000 index 0 2,1,1,2,5 LEASE");
        finds(3, "ended as FAILED, and says LEASE");
        worker.subList(worker.size() - 2, worker.size()).clear();
        isGood();
        controller.set(0, "letter 900000 890000 index 0 2,1,1,2,5 FAILURE");
        finds(3, "ended as NONE, and says FAILURE");
    }

    @Test
    void whatWasDone() throws IOException {
        controller.set(0, "letter 900000 890000 take 0 2,1,1,2,5 FAILURE");
        finds(3, "dead letter 0-2 was done before");
    }

    @Test
    void whatWasDroppedIsGone() throws IOException {
        done("book", 600_000, "2,1,1,2,1");
        effects = List.of(new Effect(1, 0, 2));
        finds(3, "'index' never did message 0-2");
        finds(9, "0-2 has 0 effects");
        controller.addAll(List.of("order 910000 drop index 0-2", "obeyed 920000 ok 1"));
        assertThat(judge().violations()).isEmpty();
        claim(worker, "index", 2_000_000, "2,1,1,2,1");
        finds(3, "0-2 was dropped, and came again");
        controller.addAll(List.of("order 930000 rewind index", "obeyed 940000 ok"));
        assertThat(judge().violations()).noneMatch(v -> v.words().contains("came again"));
    }

    @Test
    void lessThanWasAskedFor() throws IOException {
        controller.addAll(List.of("order 910000 retry index 0-2", "obeyed 920000 ok 0"));
        finds(3, "1 dead letters of stage 'index' were to retry, and 0 did");
        controller.set(2, "obeyed 920000 ok 1");
        isGood();
    }
}
