// SPDX-License-Identifier: Apache-2.0
package dev.slipring.micrometer;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.SlipringException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;

import java.time.Duration;
import java.util.Objects;

/**
 * Counts what this process does with the rings of a store; hand it to {@code Options.listener}.
 * Every meter has the tag {@code ring}; those of claims and of what is said about them also have
 * {@code stage}. A meter is there from its first event on. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>of</th></tr>
 * <tr><td>{@code slipring.push}</td><td>timer</td><td>transactions that pushed</td></tr>
 * <tr><td>{@code slipring.push.messages}</td><td>counter</td><td>messages in them</td></tr>
 * <tr><td>{@code slipring.push.size}</td><td>counter, bytes</td>
 *     <td>these messages, with their keys and headers</td></tr>
 * <tr><td>{@code slipring.push.full}</td><td>counter</td>
 *     <td>pushes that were refused because the ring was full</td></tr>
 * <tr><td>{@code slipring.claim}</td><td>timer</td><td>claims that were not empty</td></tr>
 * <tr><td>{@code slipring.claim.messages}</td><td>counter</td><td>messages in them</td></tr>
 * <tr><td>{@code slipring.claim.redelivered}</td><td>counter</td>
 *     <td>those of them that came not for the first time</td></tr>
 * <tr><td>{@code slipring.settle}</td><td>timer</td>
 *     <td>calls in which messages were done or failed</td></tr>
 * <tr><td>{@code slipring.settle.done}</td><td>counter</td><td>messages done</td></tr>
 * <tr><td>{@code slipring.settle.failed}</td><td>counter</td><td>messages that failed</td></tr>
 * <tr><td>{@code slipring.settle.dead}</td><td>counter</td>
 *     <td>those of them that failed for the last time</td></tr>
 * <tr><td>{@code slipring.settle.late}</td><td>counter</td>
 *     <td>calls that were refused because the lease had run out</td></tr>
 * <tr><td>{@code slipring.handler.failed}</td><td>counter, tag {@code exception}</td>
 *     <td>messages whose handler threw, by the name of the exception's class</td></tr>
 * <tr><td>{@code slipring.store.failed}</td><td>counter</td>
 *     <td>failures of the store, and whatever else {@link Listener#storeFailed} hears</td></tr>
 * </table>
 */
public final class MeterListener implements Listener {

    private static final String PUSH = "slipring.push";
    private static final String CLAIM = "slipring.claim";
    private static final String SETTLE = "slipring.settle";

    private final MeterRegistry registry;
    private final Tags common;

    /** Counts into a registry. */
    public MeterListener(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * Counts into a registry.
     *
     * @param common tags of every meter, where a process has several stores
     */
    public MeterListener(MeterRegistry registry, Iterable<Tag> common) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.common = Tags.of(common);
    }

    @Override
    public void pushed(String ring, int messages, long bytes, Duration took) {
        Tags tags = of(ring);
        registry.timer(PUSH, tags).record(took);
        count(PUSH + ".messages", tags, messages);
        Counter.builder(PUSH + ".size")
                .baseUnit(BaseUnits.BYTES)
                .tags(tags)
                .register(registry)
                .increment(bytes);
    }

    @Override
    public void full(String ring, int messages) {
        count(PUSH + ".full", of(ring), 1);
    }

    @Override
    public void claimed(String ring, String stage, int messages, int redelivered, Duration took) {
        Tags tags = of(ring, stage);
        registry.timer(CLAIM, tags).record(took);
        count(CLAIM + ".messages", tags, messages);
        count(CLAIM + ".redelivered", tags, redelivered);
    }

    @Override
    public void settled(String ring, String stage, int done, int failed, int dead, Duration took) {
        Tags tags = of(ring, stage);
        registry.timer(SETTLE, tags).record(took);
        count(SETTLE + ".done", tags, done);
        count(SETTLE + ".failed", tags, failed);
        count(SETTLE + ".dead", tags, dead);
    }

    @Override
    public void fenced(String ring, String stage) {
        count(SETTLE + ".late", of(ring, stage), 1);
    }

    @Override
    public void failed(String ring, String stage, Delivery delivery, Throwable error) {
        count("slipring.handler.failed", of(ring, stage).and("exception", name(error)), 1);
    }

    /** The name of its class; an anonymous class has a long one only. */
    private static String name(Throwable error) {
        String simple = error.getClass().getSimpleName();
        return simple.isEmpty() ? error.getClass().getName() : simple;
    }

    @Override
    public void storeFailed(String ring, SlipringException error) {
        count("slipring.store.failed", of(ring), 1);
    }

    private Tags of(String ring) {
        return common.and("ring", ring);
    }

    private Tags of(String ring, String stage) {
        return common.and("ring", ring, "stage", stage);
    }

    private void count(String name, Tags tags, int more) {
        registry.counter(name, tags).increment(more);
    }
}
