// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.slipring.Options;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A popper that is told to end, and one whose done loses its answer. */
class PopperTest {

    /** Another connection locks the store, so that the popper still waits for its first claim. */
    @Test
    void endsWhileTheFirstClaimIsAskedFor(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("test.db");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement sql = other.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.push("a");
            sql.execute("BEGIN IMMEDIATE");
            try (Popper popper = new Popper(ring.stage(), out, Form.RAW, words -> {})) {
                Thread popping = new Thread(() -> pop(popper));
                popping.start();
                while (!isIn(popping, "GroupWriter", "Patience")) {
                    Thread.onSpinWait();
                }
                assertThatCode(popper::stop).doesNotThrowAnyException();
                sql.execute("COMMIT");
                popping.join();
            }
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\n");
            assertThat(ring.check()).isEmpty();
        }
    }

    /** The store took the done, so it answers the second one as if another worker had the claim. */
    @Test
    void goesOnBehindADoneWhoseAnswerWasLost(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicInteger dones = new AtomicInteger();
        Store real = Slipring.open("sqlite:" + folder.resolve("test.db")).store();
        Store front =
                InFront.of(
                        Store.class,
                        real,
                        (method, arguments, through) -> {
                            int done = method.equals("settle") ? dones.incrementAndGet() : 0;
                            Object answer = through.call();
                            if (done == 1) {
                                throw new OutcomeUnknown("cut off behind the commit");
                            }
                            return answer;
                        });
        try (Slipring slipring = Slipring.over(front, Options.url("sqlite:"))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.push("a");
            try (Popper popper = new Popper(ring.stage(), out, Form.RAW, words -> {})) {
                popper.pop(1, Duration.ofSeconds(60), popped -> {});
                assertThat(popper.popped()).isEqualTo(1);
            }
            assertThat(dones).hasValueGreaterThan(1);
            assertThat(ring.info().heldMessages()).isZero();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\n");
    }

    private static void pop(Popper popper) {
        assertThatCode(() -> popper.pop(1, Duration.ZERO, popped -> {})).doesNotThrowAnyException();
    }

    private static boolean isIn(Thread thread, String... classes) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            for (String name : classes) {
                if (frame.getClassName().endsWith("." + name)) {
                    return true;
                }
            }
        }
        return false;
    }
}
