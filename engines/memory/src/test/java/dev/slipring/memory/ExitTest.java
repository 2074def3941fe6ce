// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that ends the process, where a hook closes the workers as the process ends. */
@Timeout(120)
class ExitTest {

    /** The process ends, and what another handler has done before is said. */
    @Test
    void aHandlerMayEndTheProcess() throws Exception {
        assertThat(exitCode("messages")).isEqualTo(7);
    }

    /** The same for handlers of whole claims. */
    @Test
    void aHandlerOfClaimsMayEndTheProcess() throws Exception {
        assertThat(exitCode("claims")).isEqualTo(7);
    }

    private static int exitCode(String what) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        Process process =
                new ProcessBuilder(java.toString(), "-cp", classPath, Exiting.class.getName(), what)
                        .inheritIO()
                        .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The process: of two messages one is done, and the handler of the other ends it all. */
    public static final class Exiting {

        private Exiting() {}

        /** The argument says what handlers get: messages or claims. */
        public static void main(String[] args) throws Exception {
            Slipring slipring = Slipring.open("memory:");
            Ring ring = slipring.create(RingSpec.named("r"));
            CountDownLatch first = new CountDownLatch(1);
            CountDownLatch started = new CountDownLatch(1);
            ring.push("done");
            ring.push("exit");
            Workers workers =
                    args[0].equals("claims")
                            ? ring.stage()
                                    .workBatches(WorkOptions.threads(2), claim -> exit(started))
                            : ring.stage()
                                    .work(
                                            2,
                                            message -> {
                                                if (message.text().equals("exit")) {
                                                    first.await();
                                                    exit(started);
                                                }
                                                first.countDown();
                                            });
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        workers.close();
                                        if (ring.info().stage("main").inHand().isEmpty()) {
                                            Runtime.getRuntime().halt(1);
                                        }
                                        boolean said = args[0].equals("claims") || done(ring) == 1;
                                        slipring.close();
                                        Runtime.getRuntime().halt(said ? 7 : 2);
                                    }));
            started.countDown();
            new CountDownLatch(1).await();
        }

        private static long done(Ring ring) {
            return ring.info().stage("main").done();
        }

        private static void exit(CountDownLatch started) throws InterruptedException {
            started.await();
            System.exit(3);
        }
    }
}
