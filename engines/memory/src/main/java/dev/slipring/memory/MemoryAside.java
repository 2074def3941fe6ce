// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ledger.AsideCursor;
import dev.slipring.ledger.AsideHead;
import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.AsideTable;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.Portion;
import dev.slipring.memory.MemoryRing.At;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Messages set aside, dead or dropped, in memory. */
final class MemoryAside implements AsideTable {

    private final MemoryRings rings;
    private final UndoLog undo;

    MemoryAside(MemoryRings rings, UndoLog undo) {
        this.rings = rings;
        this.undo = undo;
    }

    @Override
    public AsideRow get(long ring, String stage, int lane, long position) {
        return rings.ring(ring).aside.get(new At(stage, lane, position));
    }

    @Override
    public List<AsideRow> due(long ring, String stage, long now, Portion portion) {
        return some(
                waiting(ring, stage)
                        .filter(row -> row.due() <= now)
                        .sorted(Comparator.comparingLong(AsideRow::due)),
                portion);
    }

    private static List<AsideRow> some(Stream<AsideRow> rows, Portion portion) {
        List<AsideRow> some = new ArrayList<>();
        long bytes = 0;
        for (AsideRow row : rows.toList()) {
            if (portion.isFull(some.size(), bytes)) {
                break;
            }
            some.add(row);
            bytes += row.message().length;
        }
        return some;
    }

    @Override
    public AsideRow firstWaiting(long ring, String stage, int lane) {
        return waiting(ring, stage).filter(row -> row.lane() == lane).findFirst().orElse(null);
    }

    @Override
    public OptionalLong nextDue(long ring, String stage) {
        return waiting(ring, stage).mapToLong(AsideRow::due).min();
    }

    @Override
    public List<AsideHead> inHand(long ring, String stage) {
        return waiting(ring, stage).filter(row -> row.epoch() > 0).map(AsideHead::of).toList();
    }

    @Override
    public List<AsideRow> inHand(long ring, String stage, int lane, long epoch) {
        return waiting(ring, stage)
                .filter(row -> row.lane() == lane && row.epoch() == epoch)
                .toList();
    }

    @Override
    public List<Long> positions(long ring, Collection<String> stages, LaneRange range) {
        return in(ring, stages, range).map(AsideRow::position).toList();
    }

    @Override
    public List<Long> blocked(long ring, Collection<String> stages, LaneRange range) {
        return in(ring, stages, range).filter(AsideRow::blocks).map(AsideRow::position).toList();
    }

    private Stream<AsideRow> in(long ring, Collection<String> stages, LaneRange range) {
        NavigableMap<At, AsideRow> rows = rings.ring(ring).aside;
        return stages.stream()
                .map(stage -> MemoryRing.of(rows, stage, range.lane(), range.from(), range.to()))
                .flatMap(found -> found.values().stream());
    }

    @Override
    public List<AsideHead> heads(long ring, String stage, int lane, AsideRow.State state) {
        return in(ring, stage, state).filter(row -> row.lane() == lane).map(AsideHead::of).toList();
    }

    @Override
    public List<AsideRow> page(long ring, AsideCursor from, Portion portion) {
        return some(
                in(ring, from.stage(), from.state())
                        .filter(row -> row.lane() == from.lane() && row.position() > from.behind()),
                portion);
    }

    @Override
    public void put(long ring, AsideRow row) {
        At at = new At(row.stage(), row.lane(), row.position());
        AsideRow old = rings.ring(ring).aside.get(at);
        boolean kept = old != null && row.state() != AsideRow.State.DROPPED;
        undo.put(rings.ring(ring).aside, at, kept ? row.with(old.message()) : row);
    }

    @Override
    public void delete(long ring, AsideRow row) {
        At at = new At(row.stage(), row.lane(), row.position());
        undo.remove(rings.ring(ring).aside, at);
    }

    @Override
    public void deleteAll(long ring, String stage) {
        MemoryRing rows = rings.ring(ring);
        List.copyOf(MemoryRing.of(rows.aside, stage).keySet())
                .forEach(at -> undo.remove(rows.aside, at));
    }

    @Override
    public long deleteDropped(long ring, String stage, LaneRange range) {
        List<At> gone =
                MemoryRing.of(
                                rings.ring(ring).aside,
                                stage,
                                range.lane(),
                                range.from(),
                                range.to())
                        .entrySet()
                        .stream()
                        .filter(entry -> entry.getValue().state() == AsideRow.State.DROPPED)
                        .map(Map.Entry::getKey)
                        .filter(at -> !isKeptElsewhere(ring, at))
                        .toList();
        gone.forEach(at -> undo.remove(rings.ring(ring).aside, at));
        return gone.size();
    }

    /** Whether any stage has the message of a position waiting or dead. */
    private boolean isKeptElsewhere(long ring, At at) {
        return rings.ring(ring).aside.values().stream()
                .anyMatch(
                        row ->
                                row.lane() == at.lane()
                                        && row.position() == at.number()
                                        && row.state() != AsideRow.State.DROPPED);
    }

    private Stream<AsideRow> waiting(long ring, String stage) {
        return in(ring, stage, AsideRow.State.WAITING);
    }

    private Stream<AsideRow> in(long ring, String stage, AsideRow.State state) {
        return MemoryRing.of(rings.ring(ring).aside, stage).values().stream()
                .filter(row -> row.state() == state);
    }
}
