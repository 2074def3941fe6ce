// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
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
        Ring ring = slipring().create(RingSpec.named("long").lanes(2).graph(stage("main")));
        ring.push(to(0, 2, "first"));
        CompletableFuture<Void> beside;
        CompletableFuture<Void> behind;
        CompletableFuture<List<String>> meanwhile;
        try (Connection connection = transaction()) {
            ring.join(connection).push(to(0, 2, "late"));
            beside = CompletableFuture.runAsync(() -> ring.push(to(1, 2, "beside")));
            behind = CompletableFuture.runAsync(() -> ring.push(to(0, 2, "behind")));
            if (lanes()) { // else the whole store waits for the transaction
                assertThat(beside).succeedsWithin(Wait.LONGEST);
            }
            meanwhile = CompletableFuture.supplyAsync(() -> takeAll(ring.stage()));
            if (lanes()) {
                assertThat(meanwhile).succeedsWithin(Wait.LONGEST);
                assertThat(meanwhile.join()).contains("first", "beside").doesNotContain("late");
            }
            connection.commit();
        }
        CompletableFuture.allOf(beside, behind).join();
        List<String> all = new ArrayList<>(meanwhile.join());
        all.addAll(takeAll(ring.stage()));
        assertThat(all).containsExactlyInAnyOrder("first", "late", "beside", "behind");
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
