// SPDX-License-Identifier: Apache-2.0
package dev.slipring.micrometer;

import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The gauges of a ring in one registry. Those of stages come and go with the stages. */
final class BoundGauges {

    private static final String RING = "slipring.ring.";
    private static final String STAGE = "slipring.stage.";
    private static final String MESSAGES = BaseUnits.MESSAGES;

    private final MeterRegistry registry;
    private final Tags tags;
    private final Latest latest;
    private final List<OfStages> ofStages = new ArrayList<>();
    private volatile List<String> stages = List.of();

    /**
     * A gauge that every stage has.
     *
     * @param gauge its meters, one for each stage
     * @param figure what it shows
     */
    private record OfStages(MultiGauge gauge, ToDoubleFunction<StageSurvey> figure) {}

    BoundGauges(MeterRegistry registry, Tags tags, Latest latest) {
        this.registry = registry;
        this.tags = tags;
        this.latest = latest;
        Gauge first = ring("held", MESSAGES, Survey::heldMessages);
        ring("held.size", BaseUnits.BYTES, Survey::heldBytes);
        ring("capacity", MESSAGES, survey -> survey.shape().spec().messages());
        ring("capacity.size", BaseUnits.BYTES, survey -> survey.shape().spec().bytes());
        stage("lag", MESSAGES, StageSurvey::lag);
        stage("lag.time", "seconds", stage -> stage.lagTime().toNanos() / 1e9);
        stage("claims", "claims", stage -> stage.inHand().size());
        stage("aside", MESSAGES, StageSurvey::aside);
        stage("dead", MESSAGES, StageSurvey::dead);
        stage("redelivered", MESSAGES, StageSurvey::redelivered);
        stage("failed", MESSAGES, StageSurvey::failed);
        stage("stalled", null, stage -> stage.stalled() == null ? 0 : 1);
        forgetStages(Set.copyOf(first.getId().getTags()));
    }

    /** In the place of one that was bound before: the ring may have been made anew since. */
    private Gauge ring(String name, String unit, ToDoubleFunction<Survey> figure) {
        registry.removeByPreFilterId(new Meter.Id(RING + name, tags, unit, null, Meter.Type.GAUGE));
        return Gauge.builder(RING + name, () -> figure(figure))
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    private void stage(String name, String unit, ToDoubleFunction<StageSurvey> figure) {
        MultiGauge gauge =
                MultiGauge.builder(STAGE + name).baseUnit(unit).tags(tags).register(registry);
        ofStages.add(new OfStages(gauge, figure));
    }

    /** Takes away what was bound before for stages of a ring of these tags. */
    private void forgetStages(Set<Tag> ofRing) {
        registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith(STAGE) && ofRing.equals(withoutStage(id)))
                .forEach(registry::remove);
    }

    private static Set<Tag> withoutStage(Meter.Id id) {
        return id.getTags().stream()
                .filter(tag -> !tag.getKey().equals("stage"))
                .collect(Collectors.toSet());
    }

    /** The last answer, whose stages have gauges now. */
    Optional<Survey> read() {
        Optional<Survey> answer = latest.get();
        answer.ifPresent(this::follow);
        return answer;
    }

    private double figure(ToDoubleFunction<Survey> figure) {
        return read().map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private void follow(Survey survey) {
        List<String> names = survey.stages().stream().map(StageSurvey::name).toList();
        if (!names.equals(stages)) {
            stages = names;
            ofStages.forEach(
                    each ->
                            each.gauge()
                                    .register(
                                            names.stream().map(name -> row(name, each)).toList(),
                                            true));
        }
    }

    private Row<?> row(String stage, OfStages each) {
        return Row.of(
                Tags.of("stage", stage),
                () -> figure(survey -> figureOf(stage, survey, each.figure())));
    }

    /** Somebody may read the gauge of a stage that is no more. */
    private static double figureOf(
            String stage, Survey survey, ToDoubleFunction<StageSurvey> figure) {
        return survey.stages().stream()
                .filter(each -> each.name().equals(stage))
                .mapToDouble(figure)
                .findFirst()
                .orElse(Double.NaN);
    }
}
