// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A push in a process of its own that is told to end. */
class EndedPushTest {

    @Test
    void itSaysWhatIsIn(@TempDir Path folder) throws Exception {
        Shell shell = new Shell(folder);
        shell.run("create", "r");
        Process push = Shell.apart("-Xmx256m", shell.url(), "push", "r").start();
        OutputStream lines = push.getOutputStream();
        try (Slipring slipring = Slipring.open(shell.url())) {
            Ring ring = slipring.ring("r");
            for (int i = 1; i <= 3; i++) {
                lines.write((i + "\n").getBytes(StandardCharsets.UTF_8));
                lines.flush();
                await(ring, i);
            }
        }
        push.toHandle().destroy();
        String said = new String(push.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(push.waitFor()).isEqualTo(128 + 15);
        // The third may be stored although its answer is still on its way.
        assertThat(said).containsPattern("slipring: told to end; [23] messages were pushed surely");
        assertThat(shell.run("pop", "r").lines()).containsExactly("1", "2", "3");
    }

    private static void await(Ring ring, long pushed) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (ring.info().pushed() < pushed && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
    }
}
