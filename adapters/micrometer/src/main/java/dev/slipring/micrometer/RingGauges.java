// SPDX-License-Identifier: Apache-2.0
package dev.slipring.micrometer;

import dev.slipring.Ring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

import java.time.Duration;
import java.util.Objects;

/**
 * Shows how a ring stands, as {@link Ring#info} does, whatever process works on it: bind it in one
 * process of an application. It asks the store when a gauge is read and the last answer is too old;
 * then the reading thread waits for the store. Where the store does not answer, or the ring was
 * dropped, the gauges are not a number until the next answer. Every gauge has the tag {@code ring},
 * those of a stage also {@code stage}; a stage that is added later is there from the second reading
 * on. Who makes a ring anew binds it again, which replaces its gauges. Thread-safe.
 *
 * <table>
 * <caption>Gauges</caption>
 * <tr><th>name</th><th>of</th></tr>
 * <tr><td>{@code slipring.ring.held}</td><td>messages that a stage has yet to do</td></tr>
 * <tr><td>{@code slipring.ring.held.size}</td><td>bytes that their slots hold</td></tr>
 * <tr><td>{@code slipring.ring.capacity}</td><td>messages that the ring may hold</td></tr>
 * <tr><td>{@code slipring.ring.capacity.size}</td><td>bytes that it may hold</td></tr>
 * <tr><td>{@code slipring.stage.lag}</td><td>messages that the stage has yet to do</td></tr>
 * <tr><td>{@code slipring.stage.lag.time}</td>
 *     <td>seconds since the oldest of those was pushed</td></tr>
 * <tr><td>{@code slipring.stage.claims}</td><td>claims in hand</td></tr>
 * <tr><td>{@code slipring.stage.aside}</td>
 *     <td>messages that wait for a retry, or have it in hand</td></tr>
 * <tr><td>{@code slipring.stage.dead}</td><td>dead letters</td></tr>
 * <tr><td>{@code slipring.stage.redelivered}</td>
 *     <td>messages that were handed out for a second or later attempt, ever</td></tr>
 * <tr><td>{@code slipring.stage.failed}</td><td>failures, ever</td></tr>
 * <tr><td>{@code slipring.stage.stalled}</td>
 *     <td>1 if the stage claims nothing new, as it is paused or keeps too much; else 0</td></tr>
 * </table>
 */
public final class RingGauges implements MeterBinder {

    private static final Duration AGE = Duration.ofSeconds(10);

    private final Ring ring;
    private final Duration age;
    private final Iterable<Tag> common;

    /** Gauges of a ring, from answers that are at most 10 s old. */
    public RingGauges(Ring ring) {
        this(ring, AGE, Tags.empty());
    }

    /**
     * Gauges of a ring.
     *
     * @param age how old an answer of the store may be; zero to ask at every reading of a gauge
     * @param common tags of every gauge, where a process has several stores
     */
    public RingGauges(Ring ring, Duration age, Iterable<Tag> common) {
        this.ring = Objects.requireNonNull(ring, "ring");
        this.age = Objects.requireNonNull(age, "age");
        this.common = Objects.requireNonNull(common, "common");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Latest latest = new Latest(ring::info, age, registry.config().clock());
        new BoundGauges(registry, Tags.concat(common, "ring", ring.name()), latest).read();
    }
}
