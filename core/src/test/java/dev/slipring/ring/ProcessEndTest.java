// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.FanOut;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that ends the process, where a hook closes the ring as the process ends. */
@Timeout(120)
class ProcessEndTest {

    /** The process ends, and what another handler has in hand is waited for. */
    @Test
    void aHandlerMayEndTheProcess() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        Process process =
                new ProcessBuilder(java.toString(), "-cp", classPath, Exiting.class.getName())
                        .inheritIO()
                        .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The process: one stage ends it all, one takes long, and one waits for both. */
    public static final class Exiting {

        private static final CountDownLatch STARTED = new CountDownLatch(1);
        private static final CountDownLatch CLOSING = new CountDownLatch(1);

        private Exiting() {}

        /** Ends with 7 if the hook came to its end, and the slow handler had by then. */
        public static void main(String[] args) throws Exception {
            AtomicInteger handled = new AtomicInteger();
            ThreadRing<int[]> ring =
                    ThreadRing.of(() -> new int[1], 16)
                            .graph(FanOut.to("exits").and("slow").then("last"))
                            .work("exits", slot -> exit())
                            .work(
                                    "slow",
                                    slot -> {
                                        CLOSING.await();
                                        Thread.sleep(1_500);
                                        handled.incrementAndGet();
                                    })
                            .work("last", slot -> handled.addAndGet(100))
                            .open();
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        CLOSING.countDown();
                                        ring.close();
                                        Runtime.getRuntime().halt(handled.get() == 1 ? 7 : 2);
                                    }));
            STARTED.countDown();
            ring.push(slot -> {});
        }

        private static void exit() throws InterruptedException {
            STARTED.await();
            System.exit(3);
        }
    }
}
