// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A pop whose server is killed while it waits for messages. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PopOutageTest {

    @RegisterExtension
    static final RunningServer SERVER = new RunningServer(ServerFiles.MARIADB_11);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void goesOnOnceTheServerIsBack() throws Exception {
        Server server = SERVER.get();
        String url = server.url(server.newDatabase());
        push(url, "a");
        CompletableFuture<Integer> pop = pop(url, "--max", "2", "--wait", "forever");
        await(pop, out, "a\n"); // the done of it may not be stored yet
        server.kill();
        try {
            await(pop, err, "trying again");
        } finally {
            server.launch();
        }
        push(url, "b");
        assertThat(pop.get()).as(text(err)).isZero();
        assertThat(text(out)).isEqualTo("a\nb\n");
        assertThat(text(err)).containsOnlyOnce("trying again");
        assertThat(held(url)).isZero();
    }

    @Test
    void endsWhenItStaysAwayForTheTimeOfTheWait() throws Exception {
        Server server = SERVER.get();
        String url = server.url(server.newDatabase());
        push(url, "a");
        CompletableFuture<Integer> pop = pop(url, "--wait", "2");
        await(pop, out, "a\n");
        while (held(url) > 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        server.kill();
        try {
            assertThat(pop.get()).isOne();
            assertThat(text(err))
                    .contains("trying again")
                    .containsPattern("; 1 message popped, .* comes again\\R$");
        } finally {
            server.launch();
        }
    }

    private static long held(String url) {
        try (Slipring slipring = Slipring.open(url)) {
            assertThat(slipring.ring("r").check()).isEmpty();
            return slipring.ring("r").info().heldMessages();
        }
    }

    private static void push(String url, String body) {
        try (Slipring slipring = Slipring.open(url)) {
            slipring.create(RingSpec.named("r")).push(body);
        }
    }

    private CompletableFuture<Integer> pop(String url, String... options) {
        String[] args = new String[options.length + 4];
        System.arraycopy(new String[] {"--url", url, "pop", "r"}, 0, args, 0, 4);
        System.arraycopy(options, 0, args, 4, options.length);
        return CompletableFuture.supplyAsync(
                () -> Main.run(args, new ByteArrayInputStream(new byte[0]), out, err));
    }

    private void await(Future<Integer> pop, ByteArrayOutputStream stream, String words)
            throws InterruptedException {
        while (!text(stream).contains(words)) {
            assertThat(pop).as(text(err)).isNotDone();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
