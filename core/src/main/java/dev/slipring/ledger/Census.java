// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Shape;
import dev.slipring.engine.Survey;
import dev.slipring.engine.Survey.InHand;
import dev.slipring.engine.Survey.LaneSurvey;
import dev.slipring.engine.Survey.StageSurvey;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** How a ring stands, counted from its sequences. */
final class Census {

    private final Rows rows;
    private final Shape shape;
    private final List<LaneRow> lanes;

    Census(Rows rows, Shape shape) {
        this.rows = rows;
        this.shape = shape;
        this.lanes = rows.lanes().all(shape.id());
        if (lanes.size() < shape.spec().lanes()) {
            throw new StoreFailed(
                    "ring '"
                            + shape.spec().name()
                            + "' is broken: of its "
                            + shape.spec().lanes()
                            + " lanes the store has "
                            + lanes.size());
        }
    }

    Survey take(long storeBytes, long retries, List<String> broken) {
        List<StageSurvey> stages = new ArrayList<>();
        for (String name : shape.spec().stages().names()) {
            stages.add(stage(name));
        }
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

    private StageSurvey stage(String name) {
        List<Strand> strands = rows.strands().of(shape.id(), name);
        long done = strands.stream().mapToLong(Strand::done).sum();
        long head = lanes.stream().mapToLong(LaneRow::head).sum();
        String stalled = ClaimRule.stalled(shape, shape.spec().stages().get(name), strands);
        return new StageSurvey(
                name,
                strands.stream().mapToLong(Strand::claimed).sum(),
                done,
                Math.max(head - done, 0),
                lagTime(strands),
                inHand(name, strands),
                strands.stream().mapToLong(Strand::waiting).sum(),
                nextRetry(name, strands),
                strands.stream().mapToLong(Strand::dead).sum(),
                strands.stream().mapToLong(Strand::redelivered).sum(),
                strands.stream().mapToLong(Strand::failed).sum(),
                shape.paused().contains(name) ? "paused" : stalled);
    }

    private Duration lagTime(List<Strand> strands) {
        long oldest = Long.MAX_VALUE;
        for (Strand strand : strands) {
            LaneRow lane = lanes.get(strand.lane());
            if (strand.done() < lane.head()) {
                List<SlotRow> slots =
                        rows.lanes()
                                .slots(
                                        shape.id(),
                                        strand.lane(),
                                        strand.done(),
                                        strand.done() + 1,
                                        1);
                oldest = slots.isEmpty() ? oldest : Math.min(oldest, slots.get(0).pushedAt());
            }
        }
        return oldest == Long.MAX_VALUE
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(rows.now() - oldest, 0));
    }

    private Duration nextRetry(String name, List<Strand> strands) {
        boolean any = strands.stream().anyMatch(strand -> strand.waiting() > 0);
        OptionalLong due = any ? rows.aside().nextDue(shape.id(), name) : OptionalLong.empty();
        return due.isEmpty() ? null : left(due.getAsLong());
    }

    private List<InHand> inHand(String name, List<Strand> strands) {
        List<InHand> inHand = new ArrayList<>();
        for (ClaimRow claim : rows.strands().claims(shape.id(), name)) {
            inHand.add(
                    new InHand(claim.worker(), claim.lane(), claim.left(), left(claim.expires())));
        }
        if (strands.stream().anyMatch(strand -> strand.waiting() > 0)) {
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
        long most = stages.stream().mapToLong(StageSurvey::lag).max().orElse(0);
        return most == 0
                ? List.of()
                : stages.stream()
                        .filter(stage -> stage.lag() > 0)
                        .sorted(Comparator.comparingLong(StageSurvey::lag).reversed())
                        .filter(stage -> stage.lag() == most)
                        .map(StageSurvey::name)
                        .toList();
    }
}
