// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Survey;
import dev.slipring.Survey.InHand;
import dev.slipring.Survey.LaneSurvey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.graph.Shape;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** How a ring stands, counted from its sequences. */
final class SurveyRule {

    private final RingRows rows;
    private final Shape shape;
    private final List<LaneRow> lanes;
    private final Map<String, List<Strand>> strands = new LinkedHashMap<>();

    SurveyRule(RingRows rows, Shape shape) {
        this.rows = rows;
        this.shape = shape;
        this.lanes = rows.lanes().whole(shape);
        for (String name : shape.spec().stages().names()) {
            strands.put(
                    name,
                    rows.strands().of(shape.id(), name).stream()
                            .filter(strand -> 0 <= strand.lane() && strand.lane() < lanes.size())
                            .toList());
        }
    }

    Survey take(long storeBytes, long retries, List<String> broken) {
        List<StageSurvey> stages = new ArrayList<>();
        strands.forEach((name, ofStage) -> stages.add(stage(name, ofStage)));
        return new Survey(
                shape,
                lanes.stream().mapToLong(LaneRow::head).sum(),
                lanes.stream().mapToLong(LaneRow::held).sum(),
                lanes.stream().mapToLong(LaneRow::bytes).sum(),
                lanes.stream()
                        .map(lane -> new LaneSurvey(lane.lane(), lane.head(), lane.gate()))
                        .toList(),
                stages,
                gate(stages),
                storeBytes,
                retries,
                broken);
    }

    private StageSurvey stage(String name, List<Strand> ofStage) {
        long done = ofStage.stream().mapToLong(Strand::done).sum();
        long head = lanes.stream().mapToLong(LaneRow::head).sum();
        String stalled = ClaimRule.stalled(shape, shape.spec().stages().get(name), ofStage);
        return new StageSurvey(
                name,
                ofStage.stream().mapToLong(Strand::claimed).sum(),
                done,
                Math.max(head - done, 0),
                ofStage.stream().mapToLong(this::outOfReach).sum(),
                lagTime(ofStage),
                inHand(name, ofStage),
                ofStage.stream().mapToLong(Strand::waiting).sum(),
                nextRetry(name, ofStage),
                ofStage.stream().mapToLong(Strand::dead).sum(),
                ofStage.stream().mapToLong(Strand::redelivered).sum(),
                ofStage.stream().mapToLong(Strand::failed).sum(),
                shape.paused().contains(name) ? "paused" : stalled);
    }

    /** How many messages of a lane a stage has yet to do and cannot come to now. */
    private long outOfReach(Strand strand) {
        long head = lanes.get(strand.lane()).head();
        long limit = Math.min(head, ClaimRule.end(rows, shape, strand));
        for (String followed : shape.spec().stages().ancestors(strand.stage())) {
            List<Strand> ahead = strands.get(followed);
            // In their order, unless some are lost.
            boolean there =
                    strand.lane() < ahead.size()
                            && ahead.get(strand.lane()).lane() == strand.lane();
            limit = there ? Math.min(limit, ahead.get(strand.lane()).high()) : limit;
        }
        return Math.max(head - Math.max(limit, strand.done()), 0);
    }

    private Duration lagTime(List<Strand> ofStage) {
        Map<Integer, Long> behind = new TreeMap<>();
        for (Strand strand : ofStage) {
            if (strand.done() < lanes.get(strand.lane()).head()) {
                behind.put(strand.lane(), strand.done());
            }
        }
        OptionalLong oldest = rows.lanes().oldestPush(shape.id(), behind);
        return oldest.isEmpty()
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(rows.now() - oldest.getAsLong(), 0));
    }

    private Duration nextRetry(String name, List<Strand> ofStage) {
        if (rows.strands().isComing(shape.id(), name)) {
            // It is due as soon as it is there.
            return Duration.ZERO;
        }
        boolean any = ofStage.stream().anyMatch(strand -> strand.waiting() > 0);
        OptionalLong due = any ? rows.aside().nextDue(shape.id(), name) : OptionalLong.empty();
        return due.isEmpty() ? null : left(due.getAsLong());
    }

    private List<InHand> inHand(String name, List<Strand> ofStage) {
        List<InHand> inHand = new ArrayList<>();
        for (ClaimRow claim : rows.strands().claims(shape.id(), name)) {
            inHand.add(
                    new InHand(claim.worker(), claim.lane(), claim.left(), left(claim.expires())));
        }
        if (ofStage.stream().anyMatch(strand -> strand.waiting() > 0)) {
            for (AsideHead head : rows.aside().inHand(shape.id(), name)) {
                AsideRow row = head.row();
                inHand.add(new InHand(row.worker(), row.lane(), 1, left(row.due())));
            }
        }
        return inHand;
    }

    private Duration left(long expires) {
        return Duration.ofMillis(expires - rows.now());
    }

    private List<String> gate(List<StageSurvey> stages) {
        long[] gates = lanes.stream().mapToLong(LaneRow::head).toArray();
        for (List<Strand> ofStage : strands.values()) {
            ofStage.forEach(it -> gates[it.lane()] = Math.min(gates[it.lane()], it.done()));
        }
        return stages.stream()
                .filter(
                        stage ->
                                strands.get(stage.name()).stream().anyMatch(it -> holds(it, gates)))
                .sorted(Comparator.comparingLong(StageSurvey::lag).reversed())
                .map(StageSurvey::name)
                .toList();
    }

    private boolean holds(Strand strand, long[] gates) {
        return strand.done() == gates[strand.lane()]
                && strand.done() < lanes.get(strand.lane()).head();
    }
}
