// SPDX-License-Identifier: Apache-2.0
package dev.slipring.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.ManualClock;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

class MetersTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    private final MockClock time = new MockClock();
    private final SimpleMeterRegistry registry =
            new SimpleMeterRegistry(SimpleConfig.DEFAULT, time);
    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final Slipring slipring =
            Slipring.open(
                    Options.url("memory:").clock(clock).listener(new MeterListener(registry)));
    private final Ring ring =
            slipring.create(
                    RingSpec.named("orders")
                            .lanes(1)
                            .messages(4)
                            .bytes(1 << 20)
                            .graph(StageSpec.named("mail").tries(2).backoff(TEN, TEN)));

    @AfterEach
    void close() {
        slipring.close();
    }

    private double value(String name, String... tags) {
        Tags all = Tags.of("ring", "orders").and(tags);
        Meter meter = registry.find(name).tags(all).meter();
        assertThat(meter).as(name).isNotNull();
        return meter.measure().iterator().next().getValue();
    }

    private double mail(String name) {
        return value(name, "stage", "mail");
    }

    private void push(String... texts) {
        ring.pushAll(List.of(texts).stream().map(Message::of).toList());
    }

    @Test
    void countsWhatHappens() {
        push("a", "bc", "def");
        push("g");
        assertThatThrownBy(() -> ring.push(Message.of("h"), Duration.ZERO))
                .isInstanceOf(RingFull.class);
        assertThat(value("slipring.push")).isEqualTo(2);
        assertThat(value("slipring.push.messages")).isEqualTo(4);
        assertThat(value("slipring.push.size")).isEqualTo(7);
        assertThat(value("slipring.push.full")).isEqualTo(1);

        refuse("a");
        assertThat(mail("slipring.claim")).isEqualTo(1);
        assertThat(mail("slipring.claim.messages")).isEqualTo(4);
        assertThat(mail("slipring.claim.redelivered")).isZero();
        assertThat(mail("slipring.settle.done")).isEqualTo(3);
        assertThat(mail("slipring.settle.failed")).isEqualTo(1);
        assertThat(mail("slipring.settle.dead")).isZero();
        assertThat(value("slipring.handler.failed", "exception", "IllegalStateException"))
                .isEqualTo(1);

        clock.advance(TEN);
        refuse("a");
        assertThat(mail("slipring.claim.redelivered")).isEqualTo(1);
        assertThat(mail("slipring.settle.dead")).isEqualTo(1);
    }

    private void refuse(String text) {
        ring.stage()
                .drain(
                        delivery -> {
                            if (delivery.text().equals(text)) {
                                throw new IllegalStateException("no");
                            }
                        });
    }

    @Test
    void countsWordsThatCameTooLate() {
        push("a");
        Claim late = ring.stage().claim(1, Duration.ZERO);
        clock.advance(Duration.ofMinutes(1));
        ring.stage().claim(1, Duration.ZERO).done();
        assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        assertThat(mail("slipring.settle.late")).isEqualTo(1);
    }

    @Test
    void showsHowTheRingStands() {
        new RingGauges(ring).bindTo(registry);
        push("a", "bc", "def");
        clock.advance(Duration.ofMillis(1500));
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        time.add(TEN);
        assertThat(value("slipring.ring.held")).isEqualTo(3);
        assertThat(value("slipring.ring.held.size")).isGreaterThanOrEqualTo(6);
        assertThat(value("slipring.ring.capacity")).isEqualTo(4);
        assertThat(value("slipring.ring.capacity.size")).isEqualTo(1 << 20);
        assertThat(mail("slipring.stage.lag")).isEqualTo(3);
        assertThat(mail("slipring.stage.lag.time")).isEqualTo(1.5);
        assertThat(mail("slipring.stage.claims")).isEqualTo(1);
        assertThat(mail("slipring.stage.stalled")).isZero();

        claim.fail(claim.deliveries().get(0), "no");
        ring.stage().pause();
        time.add(TEN);
        assertThat(mail("slipring.stage.aside")).isEqualTo(1);
        assertThat(mail("slipring.stage.stalled")).isEqualTo(1);

        ring.stage().resume();
        clock.advance(TEN);
        refuse("a");
        time.add(TEN);
        assertThat(mail("slipring.stage.dead")).isEqualTo(1);
        assertThat(mail("slipring.stage.redelivered")).isEqualTo(1);
        assertThat(mail("slipring.stage.failed")).isEqualTo(2);
        assertThat(mail("slipring.stage.lag")).isZero();
        assertThat(mail("slipring.stage.lag.time")).isZero();
    }

    @Test
    void anAnswerIsUsedAsLongAsItIsYoung() {
        new RingGauges(ring, Duration.ofSeconds(3), Tags.empty()).bindTo(registry);
        push("a");
        time.add(Duration.ofMillis(2999));
        assertThat(value("slipring.ring.held")).isZero();
        time.add(Duration.ofMillis(1));
        assertThat(value("slipring.ring.held")).isEqualTo(1);
    }

    /** For ever is longer than nanoseconds can count. */
    @Test
    void anAnswerMayBeUsedForEver() {
        Duration ever = ChronoUnit.FOREVER.getDuration();
        new RingGauges(ring, ever, Tags.empty()).bindTo(registry);
        push("a");
        time.add(TEN);
        assertThat(value("slipring.ring.held")).isZero();
    }

    @Test
    void gaugesOfStagesComeAndGo() {
        new RingGauges(ring).bindTo(registry);
        ring.addStage(StageSpec.named("ship"), Set.of("mail"), Start.OLDEST);
        push("a");
        time.add(TEN);
        assertThat(value("slipring.ring.held")).isEqualTo(1);
        assertThat(value("slipring.stage.lag", "stage", "ship")).isEqualTo(1);
        Meter ship = registry.find("slipring.stage.lag").tag("stage", "ship").meter();
        ring.stage("ship").remove();
        time.add(TEN);
        assertThat(ship.measure().iterator().next().getValue()).isNaN();
        assertThat(registry.find("slipring.stage.lag").tag("stage", "ship").meter()).isNull();
        assertThat(mail("slipring.stage.lag")).isEqualTo(1);
    }

    @Test
    void aRingThatWasDroppedHasNoFigures() {
        new RingGauges(ring).bindTo(registry);
        slipring.drop("orders");
        time.add(TEN);
        assertThat(value("slipring.ring.held")).isNaN();
        assertThat(mail("slipring.stage.lag")).isNaN();
        assertThatThrownBy(ring::info).isInstanceOf(NoSuchRing.class);
    }

    /** The gauges of the old ring would be no numbers for ever. */
    @Test
    void aRingThatWasMadeAnewIsBoundAnew() {
        registry.config().commonTags("host", "one");
        new RingGauges(ring, TEN, Tags.of("store", "other")).bindTo(registry);
        new RingGauges(ring).bindTo(registry);
        long gauges = gauges();
        slipring.drop("orders");
        Ring anew =
                slipring.create(RingSpec.named("orders").lanes(1).graph(StageSpec.named("ship")));
        new RingGauges(anew).bindTo(registry);
        anew.push("a");
        time.add(TEN);
        Tags own = Tags.of("ring", "orders", "host", "one");
        assertThat(exactly("slipring.ring.held", own)).isEqualTo(1);
        assertThat(exactly("slipring.stage.lag", own.and("stage", "ship"))).isEqualTo(1);
        assertThat(gauges()).as("none is left, none of another is gone").isEqualTo(gauges);
    }

    private long gauges() {
        return registry.getMeters().stream().filter(Gauge.class::isInstance).count();
    }

    private double exactly(String name, Tags tags) {
        return registry.find(name).tags(tags).gauges().stream()
                .filter(gauge -> gauge.getId().getTags().size() == tags.stream().count())
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void storesAreToldApartByTags() {
        new RingGauges(ring, TEN, Tags.of("store", "shop")).bindTo(registry);
        MeterListener listener = new MeterListener(registry, Tags.of("store", "shop"));
        listener.pushed("orders", 1, 1, TEN);
        assertThat(value("slipring.ring.held", "store", "shop")).isZero();
        assertThat(value("slipring.push.messages", "store", "shop")).isEqualTo(1);
    }
}
