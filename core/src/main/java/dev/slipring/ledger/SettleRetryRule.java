// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Done, fail, extend and give back on messages that had been set aside, under the fence. */
final class SettleRetryRule {

    private final Rows rows;
    private final Shape shape;
    private final StageSpec stage;
    private final Settlement word;
    private final List<Long> gone = new ArrayList<>();

    SettleRetryRule(Rows rows, Shape shape, StageSpec stage, Settlement word) {
        this.rows = rows;
        this.shape = shape;
        this.stage = stage;
        this.word = word;
    }

    Settled settle() {
        Ticket ticket = word.ticket();
        Map<Long, AsideRow> inHand = new TreeMap<>();
        rows.aside()
                .inHand(shape.id(), stage.name(), ticket.lane(), ticket.epoch())
                .forEach(row -> inHand.put(row.position(), row));
        if (inHand.isEmpty() || inHand.values().stream().anyMatch(row -> row.due() <= rows.now())) {
            throw SettleRule.fenced(shape, ticket);
        }
        for (long position : word.done()) {
            done(take(inHand, position));
        }
        int dead = 0;
        for (Failed failed : word.failed()) {
            dead += failed(take(inHand, failed.position()), failed) ? 1 : 0;
        }
        Settled settled = rest(List.copyOf(inHand.values()), dead);
        GateRule.letGo(rows, shape, ticket.lane(), gone);
        return settled;
    }

    private AsideRow take(Map<Long, AsideRow> inHand, long position) {
        AsideRow row = inHand.remove(position);
        if (row == null) {
            throw SettleRule.notInHand(word.ticket().lane(), position);
        }
        return row;
    }

    private Settled rest(List<AsideRow> left, int dead) {
        long now = rows.now();
        for (AsideRow row : left) {
            switch (word.rest()) {
                case DONE -> done(row);
                case EXTEND ->
                        rows.aside().put(shape.id(), row.expiring(now + stage.lease().toMillis()));
                case GIVE_BACK ->
                        rows.aside().put(shape.id(), row.waiting(row.attempts() - 1, now));
                case KEEP -> {}
            }
        }
        boolean kept = word.rest() == Rest.KEEP || word.rest() == Rest.EXTEND;
        return new Settled(kept ? left.size() : 0, dead);
    }

    private void done(AsideRow row) {
        Strand strand = rows.strands().there(shape, row.stage(), row.lane());
        boolean ahead = strand.claimed() <= row.position();
        if (ahead) {
            rows.aside().put(shape.id(), row.passedBy());
        } else {
            rows.aside().delete(shape.id(), row);
            gone.add(row.position());
        }
        change(row, now -> now.kept(-1, 0, ahead ? 1 : 0, -row.message().length));
        FollowRule.release(rows, shape, row);
    }

    private boolean failed(AsideRow row, Failed failed) {
        AsideRow after = SettleRule.afterFailure(row, stage, failed, rows.now());
        rows.aside().put(shape.id(), after);
        boolean dead = after.state() == AsideRow.State.DEAD;
        change(row, strand -> strand.kept(dead ? -1 : 0, dead ? 1 : 0, 0, 0).failed(1));
        return dead;
    }

    private void change(AsideRow row, UnaryOperator<Strand> change) {
        Strand strand = rows.strands().there(shape, row.stage(), row.lane());
        rows.strands().put(shape.id(), change.apply(strand));
    }
}
