// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Messages come out as they went in: empty, huge, with keys and headers, a million of them. */
public interface Messages extends Promise {

    /** Empty messages are messages. */
    @Test
    default void emptyMessagesAreMessages() {
        Ring ring = ring("empty");
        ring.push("");
        ring.pushAll(List.of(Message.of(""), Message.of("x"), Message.of("")));
        assertThat(takeAll(ring.stage())).containsExactly("", "", "x", "");
    }

    /** A push with null is refused, the error names what is missing, and nothing is stored. */
    @Test
    default void whatIsMissingIsNoMessage() {
        Ring ring = ring("missing");
        assertThatThrownBy(() -> ring.pushAll(null)).hasMessage("messages");
        assertThatThrownBy(() -> ring.pushAll(Arrays.asList(Message.of("a"), null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("message");
        assertThat(ring.info().pushed()).isZero();
    }

    /** Keys, headers and bodies of any kind. */
    @Test
    default void keysAndHeadersComeThrough() {
        Ring ring = slipring().create(RingSpec.named("rich").lanes(1).graph(stage("main")));
        byte[] bytes = new byte[256];
        for (int i = 0; i < 256; i++) {
            bytes[i] = (byte) i;
        }
        ring.pushAll(
                List.of(
                        Message.of("plain"),
                        Message.of(bytes)
                                .key("clé ✓ 'quoted\"; --")
                                .header("", "")
                                .header("größe", "x\n\0y"),
                        Message.of(bytes).key("")));
        List<Delivery> got = claim(ring.stage(), 9).deliveries();
        assertThat(got.get(0).key()).isNull();
        assertThat(got.get(0).headers()).isEmpty();
        assertThat(got.get(1).key()).isEqualTo("clé ✓ 'quoted\"; --");
        assertThat(got.get(1).headers())
                .containsEntry("", "")
                .containsEntry("größe", "x\n\0y")
                .hasSize(2);
        assertThat(got.get(1).body()).isEqualTo(bytes);
        assertThat(got.get(2).key()).isEmpty();
    }

    /** A dead letter is no younger than its message: a stage that begins then begins there. */
    @Test
    default void aLetterIsAsOldAsItsMessage() {
        Ring ring = ring("age", stage("main").tries(1));
        Map<String, Instant> pushed = new HashMap<>();
        for (int i = 0; i < 12; i++) {
            ring.push("" + i);
            Claim claim = claim(ring.stage(), 1);
            Delivery delivery = claim.deliveries().get(0);
            pushed.put(delivery.id(), delivery.pushedAt());
            claim.fail(delivery, "no");
        }
        for (DeadLetter letter : ring.stage().deadLetters(12)) {
            Instant at = pushed.get(letter.id());
            assertThat(letter.delivery().pushedAt()).isBetween(at.minusMillis(1), at);
        }
    }

    /** A huge message; one above the limit is refused before it is grouped, and hurts no other. */
    @Test
    default void hugeMessages() {
        Ring ring = ring("huge");
        byte[] body = new byte[16 << 20];
        new Random(1).nextBytes(body);
        ring.push(Message.of(body));
        assertThatThrownBy(() -> ring.push(Message.of(new byte[(64 << 20) + 1])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("67108865 bytes");
        ring.push("small");
        Claim claim = claim(ring.stage(), 1);
        assertThat(Arrays.equals(claim.deliveries().get(0).body(), body)).isTrue();
        claim.done();
        assertThat(takeAll(ring.stage())).containsExactly("small");
    }

    /**
     * What a message may have at most is counted with its key and headers, and refused in whatever
     * way it is pushed; nothing of such a push is stored.
     */
    @Test
    default void whatIsLargerThanAllowedIsRefused() throws Exception {
        ring("allowed");
        Options options = bed().options().maxMessageBytes(100);
        Ring ring = Slipring.over(slipring().store(), options).ring("allowed");
        Message fits = Message.of("x".repeat(81)).key("key").header("", "");
        Message large = fits.header("", "1");
        List<ThrowingCallable> pushes = new ArrayList<>();
        pushes.add(() -> ring.push(large));
        pushes.add(() -> ring.pushAll(List.of(fits, large)));
        pushes.add(() -> ring.pushAsync(large));
        if (slipring().store().capabilities().contains(Capability.JOIN)) {
            pushes.add(() -> pushJoined(ring, fits, large));
        }
        for (ThrowingCallable push : pushes) {
            assertThatThrownBy(push)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("101 bytes is larger than the 100");
        }
        assertThat(ring.info().pushed()).isZero();
        ring.push(fits);
        assertThat(takeAll(ring.stage())).containsExactly(fits.text());
    }

    private void pushJoined(Ring ring, Message... messages) throws SQLException {
        try (Connection connection = transaction()) {
            try {
                ring.join(connection).push(messages);
            } finally {
                connection.commit();
            }
        }
    }

    /** A huge message that fails and is retried. */
    @Test
    default void aHugeMessageIsSetAside() {
        Ring ring = ring("aside");
        byte[] body = new byte[3 << 20];
        new Random(2).nextBytes(body);
        ring.push(Message.of(body));
        Claim claim = claim(ring.stage(), 1);
        claim.fail(claim.deliveries().get(0), "x".repeat(10_000));
        retriesComeDue();
        Claim retry = claim(ring.stage(), 1);
        assertThat(Arrays.equals(retry.deliveries().get(0).body(), body)).isTrue();
        retry.done();
    }

    /** Large retries come a few at a time, so that a worker's memory is bounded. */
    @Test
    default void largeRetriesComeAFewAtATime() {
        Ring ring = ring("few");
        for (int i = 0; i < 4; i++) {
            ring.push(Message.of(new byte[3 << 20]));
        }
        // All of them are claimed before the first that failed is due.
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            claims.add(claim(ring.stage(), 1));
        }
        claims.forEach(claim -> claim.fail(claim.deliveries().get(0), "no"));
        retriesComeDue();
        Claim retry = claim(ring.stage(), 100);
        assertThat(retry.deliveries()).hasSize(2);
        retry.done();
        assertThat(takeAll(ring.stage())).hasSize(2);
    }

    /** A million messages in and out, with a checksum. */
    @Test
    default void aMillionMessages() throws Exception {
        Ring ring = ring("million");
        long[] out = {0, 0};
        Thread worker =
                new Thread(
                        () -> {
                            Stage stage = ring.stage();
                            while (out[0] < 1_000_000) {
                                Claim claim = stage.claim(5_000, Duration.ofSeconds(10));
                                for (Delivery delivery : claim.deliveries()) {
                                    out[0]++;
                                    out[1] += Long.parseLong(delivery.text()) * 31 + 7;
                                }
                                claim.done();
                            }
                        });
        worker.start();
        long in = 0;
        for (int i = 0; i < 1_000_000; ) {
            List<Message> batch = new ArrayList<>();
            for (int end = i + 1 + i % 3_000; i < end && i < 1_000_000; i++) {
                batch.add(Message.of("" + i));
                in += i * 31L + 7;
            }
            ring.pushAll(batch);
        }
        worker.join();
        assertThat(out[0]).isEqualTo(1_000_000);
        assertThat(out[1]).isEqualTo(in);
        assertThat(ring.info().heldBytes()).isZero();
    }

    /**
     * Dead letters may be larger than the memory: they are shown a few at a time, and stay whole.
     */
    @Test
    default void largeDeadLettersComeAFewAtATime() {
        Ring ring =
                slipring().create(RingSpec.named("dead").lanes(1).graph(stage("main").tries(1)));
        Stage stage = ring.stage();
        List<byte[]> bodies = new ArrayList<>();
        Random random = new Random(11);
        for (int i = 0; i < 5; i++) {
            byte[] body = new byte[2 << 20];
            random.nextBytes(body);
            bodies.add(body);
            ring.push(Message.of(body));
        }
        failAll(stage);
        assertThatThrownBy(() -> stage.deadLetters(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 or more");
        assertThat(stage.deadLetters(9)).hasSizeBetween(1, 4);
        assertThat(deadBodies(stage)).containsExactlyElementsOf(bodies);
        assertThat(stage.retryAllDead()).isEqualTo(5);
        assertThat(failAll(stage)).containsExactlyElementsOf(bodies);
        assertThat(deadBodies(stage)).containsExactlyElementsOf(bodies);
        assertThat(ring.check()).isEmpty();
        assertThat(stage.dropAllDead()).isEqualTo(5);
        assertThat(ring.check()).isEmpty();
        assertThat(stage.deadLetters(9)).isEmpty();
    }

    private List<byte[]> failAll(Stage stage) {
        List<byte[]> failed = new ArrayList<>();
        for (Claim claim = claim(stage, 9); !claim.isEmpty(); claim = claim(stage, 9)) {
            for (Delivery delivery : claim.deliveries()) {
                failed.add(delivery.body());
                claim.fail(delivery, "no");
            }
        }
        return failed;
    }

    private static List<byte[]> deadBodies(Stage stage) {
        List<byte[]> bodies = new ArrayList<>();
        List<DeadLetter> page = stage.deadLetters(9);
        while (!page.isEmpty()) {
            page.forEach(letter -> bodies.add(letter.delivery().body()));
            page = stage.deadLettersBehind(page.get(page.size() - 1).id(), 9);
        }
        return bodies;
    }
}
