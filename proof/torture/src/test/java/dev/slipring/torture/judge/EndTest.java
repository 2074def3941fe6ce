// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/**
 * What the judge finds in the outcomes of pushes, in kills of servers, and at the end of the ring.
 */
class EndTest extends Journals {

    @Test
    void aServerThatIsBackAndNothingFlows() throws IOException {
        goodDay();
        worker.add(0, "born 2000 7");
        controller.addAll(List.of("server 20000 down", "server 30000 up"));
        producer.addAll(List.of("push 31000 1 2 1 one", "pushed 32000 1 ok"));
        long late = 30_000 + 6_000_000;
        for (String stage : List.of("take", "book", "index", "post")) {
            late += 10_000;
            done(stage, late, "2,1,1,2,1");
        }
        effects = List.of(new Effect(1, 0, 3));
        finds(3, "after the server was back");
        assertThat(judge().recoveryMillis()).isEqualTo(6_011);
        worker.removeIf(line -> line.startsWith("born"));
        worker.add(0, "born 35000 7");
        assertThat(judge().violations()).isEmpty();
    }

    /**
     * If a stage is paused, all others may have to wait for it, so the time to recover does not
     * count.
     */
    @Test
    void aServerThatIsBackWhileAStageIsPaused() throws IOException {
        goodDay();
        worker.add(0, "born 2000 7");
        controller.addAll(
                List.of(
                        "order 15000 pause take",
                        "obeyed 16000 ok",
                        "server 20000 down",
                        "order 21000 resume take",
                        "obeyed 22000 unknown",
                        "server 30000 up",
                        "order 6020000 resume take",
                        "obeyed 6030000 ok"));
        producer.addAll(List.of("push 31000 1 2 1 one", "pushed 32000 1 ok"));
        long late = 30_000 + 6_000_000;
        for (String stage : List.of("take", "book", "index", "post")) {
            late += 10_000;
            done(stage, late, "2,1,1,2,1");
        }
        effects = List.of(new Effect(1, 0, 3));
        assertThat(judge().violations()).isEmpty();
        controller.set(4, "obeyed 22000 ok");
        finds(3, "after the server was back");
    }

    @Test
    void whatIsPushedOneByOneHasOutcomesOfItsOwn() throws IOException {
        producer.set(0, "push 1000 1 0 4 async");
        producer.set(1, "pushed 2000 1 ok ok unknown refused");
        goodDay();
        assertThat(judge().violations()).isEmpty();
        producer.set(1, "pushed 2000 1 ok ok ok refused");
        finds(1, "1/2, whose push (async) ended as 'ok', 0 are there");
        producer.set(1, "pushed 2000 1 ok refused unknown refused");
        finds(8, "1/1, whose push (async) ended as 'refused', 1 are there");
    }

    @Test
    void whatCannotBeRead() throws IOException {
        goodDay();
        worker.add("trouble 20000 SlotMissing the messages from 3 to 3 are not there");
        assertThat(judge().violations())
                .anyMatch(v -> v.promise() == 3 && v.words().contains("from 3 to 3"));
    }

    @Test
    void whatTheRingTookAndNobodyGot() throws IOException {
        goodDay();
        controller.add("end 90000 2");
        assertThat(judge().violations()).isEmpty();
        controller.set(0, "end 90000 3");
        assertThat(judge().violations())
                .anyMatch(v -> v.words().contains("took 3 messages, and 2 were handed out"));
    }
}
