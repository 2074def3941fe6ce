// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.engine.Capability;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Promise 8: a rolled-back push leaves nothing that stalls a stage; a push that commits late is
 * never skipped.
 */
public interface P08NoHoles extends Promise {

    /** A rolled-back push is as if it had never been. */
    @Test
    default void aRolledBackPushLeavesNothing() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("back");
        ring.push("before");
        try (Connection connection = transaction()) {
            ring.join(connection).push(Message.of("never"), Message.of("never"));
            connection.rollback();
        }
        ring.push("after");
        assertThat(takeAll(ring.stage())).containsExactly("before", "after");
    }

    /** A push in a long transaction is not skipped by those that read meanwhile. */
    @Test
    default void aLatePushIsNotSkipped() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("long");
        ring.push("first");
        CompletableFuture<Void> beside;
        try (Connection connection = transaction()) {
            ring.join(connection).push(Message.of("late"));
            beside = CompletableFuture.runAsync(() -> ring.push("beside"));
            Wait.sleep(Duration.ofMillis(50));
            assertThat(ring.info().pushed()).isBetween(1L, 2L);
            connection.commit();
        }
        beside.join();
        assertThat(takeAll(ring.stage())).containsExactlyInAnyOrder("first", "late", "beside");
    }

    /** Many threads push singly: everything arrives once. */
    @Test
    default void manyThreadsPush() {
        Ring ring = ring("many");
        List<CompletableFuture<Void>> pushers = new ArrayList<>();
        for (String name : numbers(16)) {
            Runnable pushing = () -> numbers(40).forEach(i -> ring.push(name + "-" + i));
            pushers.add(CompletableFuture.runAsync(pushing, task -> new Thread(task).start()));
        }
        pushers.forEach(CompletableFuture::join);
        assertThat(takeAll(ring.stage())).hasSize(640).doesNotHaveDuplicates();
    }
}
