// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.ring.contest.Crew;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Shape;

import org.junit.jupiter.api.Test;

/** A run that fails is over, whatever waits for the thread that failed. */
class OwnJavaTest {

    /** A stage breaks, and its producer waits for room. */
    public static final class Stuck {

        private Stuck() {}

        /** Never ends by itself. */
        public static void main(String[] arguments) throws Exception {
            Shape shape = Shape.of(1, new int[] {1});
            Crew crew = new Crew(shape, new Load(1, 1, 0));
            crew.consume(
                    () -> {
                        throw new IllegalStateException("broken for a test");
                    });
            crew.run((from, to) -> Thread.sleep(Long.MAX_VALUE), () -> {});
        }
    }

    /** The sums are wrong, and a thread of a rival stays. */
    public static final class Wrong {

        private Wrong() {}

        /** Never ends by itself. */
        public static void main(String[] arguments) {
            new Thread(
                            () -> {
                                try {
                                    Thread.sleep(Long.MAX_VALUE);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            })
                    .start();
            throw new IllegalStateException("wrong for a test");
        }
    }

    /** Says what it was told. */
    public static final class Sound {

        private Sound() {}

        /** Ends. */
        public static void main(String[] arguments) {
            System.out.println(String.join(" ", arguments));
        }
    }

    @Test
    void aThreadThatBreaksEndsTheRun() {
        assertThatThrownBy(() -> OwnJava.says(Stuck.class))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("failed, see above");
    }

    @Test
    void aRunThatIsWrongEndsThoughThreadsStay() {
        assertThatThrownBy(() -> OwnJava.says(Wrong.class))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("failed, see above");
    }

    @Test
    void aSoundOneSaysWhatItHasToSay() throws Exception {
        assertThat(OwnJava.says(Sound.class, "a", "b")).isEqualTo("a b");
    }
}
