// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Dead letters that are twice as large as the heap of whoever shows, retries or drops them. */
class LargeDeadLettersTest {

    private static final int LETTERS = 96;
    private static final String BODY = "x".repeat(1 << 20);

    @TempDir Path folder;

    @BeforeEach
    void die() {
        try (Slipring slipring = Slipring.open(url())) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("r")
                                    .graph(
                                            FanOut.to(StageSpec.named("main").tries(1))
                                                    .then("behind")));
            for (int i = 0; i < LETTERS; i++) {
                ring.push(Message.of(BODY));
            }
            while (ring.info().stages().get(0).dead() < LETTERS) {
                Claim claim = ring.stage("main").claim(9, Duration.ofSeconds(1));
                for (Delivery delivery : claim.deliveries()) {
                    claim.fail(delivery, "no");
                }
            }
        }
    }

    private String url() {
        return "sqlite:" + folder.resolve("test.db");
    }

    @Test
    void areShownAndCheckedAndDropped() throws Exception {
        assertThat(lines("dead", "r", "ls")).isEqualTo(LETTERS + 1);
        assertThat(said()).doesNotContain("more");
        assertThat(lines("dead", "r", "ls", "--json", "--max", "9")).isEqualTo(9);
        assertThat(said()).contains("there are more than these; see --max");
        assertThat(lines("check", "r")).isEqualTo(1);
        lines("dead", "r", "--stage", "main", "drop", "--yes");
        assertThat(lines("info", "r")).isPositive();
        assertThat(lines("dead", "r", "ls")).isZero();
    }

    @Test
    void areHandedOutAgain() throws Exception {
        lines("dead", "r", "--stage", "main", "retry");
        assertThat(lines("pop", "r", "--stage", "main")).isEqualTo(LETTERS);
        assertThat(lines("check", "r")).isEqualTo(1);
    }

    @Test
    void goWithTheirStage() throws Exception {
        lines("stage", "r", "rm", "main", "--yes");
        assertThat(lines("pop", "r")).isEqualTo(LETTERS);
        assertThat(lines("check", "r")).isEqualTo(1);
    }

    /** What the last command said to people. */
    private String said() throws Exception {
        return Files.readString(folder.resolve("err.txt"));
    }

    /** Runs a command that is to end well; returns how many lines it wrote. */
    private long lines(String... args) throws Exception {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        int code =
                Shell.apart("-Xmx48m", url(), args)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start()
                        .waitFor();
        assertThat(code).as(Files.readString(err)).isZero();
        try (Stream<String> lines = Files.lines(out)) {
            return lines.count();
        }
    }
}
