// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a drain waits for, and what it leaves. */
public interface Drained extends Promise {

    /** A drain waits for a push that has begun and is not in the store yet. */
    @Test
    default void aDrainWaitsForWhatIsOnItsWay() throws Exception {
        Ring ring = ring("on-its-way");
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        InFront.Way slow =
                (method, arguments, through) -> {
                    if (method.equals("push") || method.equals("tryPush")) {
                        writing.countDown();
                        go.await(Wait.LONGEST.toSeconds(), TimeUnit.SECONDS);
                    }
                    return through.call();
                };
        Ring seen = behind(slow).ring(ring.name());
        assertThat(seen.drain(Duration.ZERO)).isTrue();
        CompletableFuture<Void> pushed = seen.pushAsync(Message.of("x")).toCompletableFuture();
        assertThat(writing.await(Wait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(seen.drain(Duration.ZERO)).isFalse();
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> seen.drain(Wait.LONGEST));
        go.countDown();
        Wait.until("the push is there", () -> takeAll(ring.stage()).equals(List.of("x")));
        assertThat(drained.join()).isTrue();
        pushed.join();
    }

    /** A drain waits for a push that waits for room, also where all that is in the store waits. */
    @Test
    default void aDrainWaitsForWhatWaitsForRoom() {
        Duration hour = Duration.ofHours(1);
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("no-room")
                                        .messages(2)
                                        .graph(stage("main").ordered().backoff(hour, hour)));
        List<Message> messages = numbers(4).stream().map(n -> Message.of(n).key("k")).toList();
        ring.push(messages.get(0));
        ring.push(messages.get(1));
        Claim claim = claim(ring.stage(), 1);
        claim.fail(claim.deliveries().get(0), "later");
        ring.push(messages.get(2));
        assertThat(ring.drain(Duration.ZERO)).as("the others wait for the retry").isTrue();
        CompletableFuture<Void> waits =
                ring.pushAsync(messages.get(3), Options.FOREVER).toCompletableFuture();
        assertThat(ring.drain(Duration.ofMillis(100))).isFalse();
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> ring.drain(Wait.LONGEST));
        ring.resize(3, RingSpec.DEFAULT_BYTES);
        assertThat(drained.join()).isTrue();
        waits.join();
    }

    /**
     * A drain waits neither for a retry that is due later nor for the messages behind it in an
     * ordered stage.
     */
    @Test
    default void aDrainLeavesWhatStandsBehindALaterRetry() {
        StageSpec later = stage("a").ordered().backoff(Duration.ofHours(1), Duration.ofHours(1));
        Ring ring = ring("behind", later.then(stage("b").ordered()));
        ring.pushAll(numbers(4).stream().map(n -> Message.of(n).key("k")).toList());
        assertThat(ring.drain(Duration.ZERO)).isFalse();
        Claim claim = claim(ring.stage("a"), 1);
        claim.done();
        assertThat(ring.drain(Duration.ZERO)).as("the next of a can be claimed").isFalse();
        Claim second = claim(ring.stage("a"), 1);
        second.fail(second.deliveries().get(0), "later");
        assertThat(ring.drain(Duration.ZERO)).as("b has something to do").isFalse();
        assertThat(takeAll(ring.stage("b"))).containsExactly("0");
        // Of the messages in front of b only the failed one is left, and b's next claim passes over
        // it.
        assertThat(ring.drain(Duration.ZERO)).isTrue();
        assertThat(ring.info().stage("a").outOfReach()).isEqualTo(2);
        assertThat(ring.info().stage("b").outOfReach()).isEqualTo(2);
        assertThat(claim(ring.stage("a"), 9).isEmpty()).isTrue();
        ring.push(Message.of("other lane or not").key("k"));
        assertThat(ring.drain(Duration.ZERO)).as("it comes behind the rest").isTrue();
    }

    /**
     * A drain waits in vain if a stage has something to do and does not do it, being stalled or
     * paused.
     */
    @Test
    default void aDrainWaitsInVainForAStageThatIsStalledOrPaused() {
        Ring ring =
                ring(
                        "stalled",
                        stage("main").keep(1).backoff(Duration.ofHours(1), Duration.ofHours(1)));
        push(ring, 2);
        Claim claim = claim(ring.stage(), 1);
        claim.fail(claim.deliveries().get(0), "later");
        assertThat(ring.info().stage("main").stalled()).contains("limit");
        assertThat(ring.drain(Duration.ZERO)).isFalse();
        ring.stage().redeclare(stage("main"));
        takeAll(ring.stage());
        assertThat(ring.drain(Duration.ZERO)).isTrue();
        ring.stage().pause();
        push(ring, 1);
        assertThat(ring.drain(Duration.ZERO)).isFalse();
    }

    /** Where a drain was in vain, the survey says what is left, and who has it. */
    @Test
    default void whatIsLeftIsSaid() {
        Ring ring = ring("left", stage("a").then(stage("b")));
        assertThat(ring.info().undone()).isEmpty();
        push(ring, 3);
        Claim claim = claim(ring.stage("a").worker("ada"), 2);
        ring.stage("a").pause();
        assertThat(ring.drain(Duration.ZERO)).isFalse();
        assertThat(ring.info().undone())
                .singleElement()
                .asString()
                .startsWith("stage 'a': ")
                .endsWith(" in hand of ada, 0 set aside; paused");
        claim.done();
        assertThat(ring.info().undone()).hasSize(2).last().asString().startsWith("stage 'b': ");
        ring.stage("a").resume();
        takeAll(ring.stage("a"));
        takeAll(ring.stage("b"));
        assertThat(ring.info().undone()).isEmpty();
    }
}
