// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Survey;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that says done message by message, each in a transaction, and throws on the way. */
public interface HalfSaid extends Promise {

    /** Where in the transaction of a message a handler throws. */
    enum Throw {
        BEFORE_IT_IS_NAMED,
        BEFORE_THE_COMMIT,
        BEHIND_THE_COMMIT
    }

    /** What it has committed of a claim before. */
    int BEFORE = 2;

    /** In a pool all that is left has failed, and comes again. */
    @Test
    default void whatTransactionsLeftOfAPoolsClaimHasFailed() throws Exception {
        needs(Capability.JOIN);
        for (Throw where : Throw.values()) {
            int left = half("pool", stage("main"), where);
            assertThat(failures("pool"))
                    .as(where.name())
                    .isEqualTo(where == Throw.BEHIND_THE_COMMIT ? left - 1 : left);
        }
    }

    /** In an ordered stage the first of what is left has failed, and all comes again. */
    @Test
    default void whatTransactionsLeftOfAnOrderedClaimHasFailed() throws Exception {
        needs(Capability.JOIN);
        for (Throw where : Throw.values()) {
            half("ordered", stage("main").ordered(), where);
            assertThat(failures("ordered")).as(where.name()).isEqualTo(1);
        }
    }

    private long failures(String name) {
        Survey.StageSurvey main = slipring().ring(name).info().stage("main");
        slipring().drop(name);
        return main.failed();
    }

    /** Handles all, but throws once; returns how many of that claim were not committed before. */
    private int half(String name, StageSpec stage, Throw where) throws SQLException {
        AtomicInteger told = new AtomicInteger();
        AtomicInteger left = new AtomicInteger();
        List<SlipringException> broken = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void failed(String ring, String of, Delivery message, Throwable error) {
                        told.incrementAndGet();
                    }

                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        broken.add(error);
                    }
                };
        try (Slipring real = bed().open(Options.url(bed().url()).listener(listener));
                Connection connection = transaction()) {
            Ring ring = real.create(RingSpec.named(name).lanes(1).graph(stage));
            push(ring, 100);
            try (Workers workers =
                    ring.stage()
                            .workBatches(
                                    WorkOptions.threads(1),
                                    claim -> handle(ring, connection, claim, where, left))) {
                Wait.until(
                        "all is done",
                        () -> !broken.isEmpty() || ring.info().stage("main").lag() == 0);
                assertThat(broken).as(where.name()).isEmpty();
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            assertThat(left).as("the handler has thrown").hasPositiveValue();
            boolean ordered = stage.mode() == Mode.ORDERED;
            assertThat(told.get())
                    .as("what the listener heard")
                    .isBetween(ordered ? 1 : left.get() - 1, ordered ? 1 : left.get());
        }
        return left.get();
    }

    /** Claims become larger as long as they are handled fast: the first that is large is taken. */
    private void handle(
            Ring ring, Connection connection, Claim claim, Throw where, AtomicInteger left)
            throws SQLException {
        int count = claim.deliveries().size();
        if (count < BEFORE + 2 || !left.compareAndSet(0, count - BEFORE)) {
            return;
        }
        for (Delivery delivery : claim.deliveries().subList(0, BEFORE)) {
            ring.join(connection).done(claim, delivery);
            connection.commit();
        }
        if (where != Throw.BEFORE_IT_IS_NAMED) {
            ring.join(connection).done(claim, claim.deliveries().get(BEFORE));
        }
        if (where == Throw.BEHIND_THE_COMMIT) {
            connection.commit();
        }
        connection.rollback();
        throw new IllegalStateException("on purpose");
    }
}
