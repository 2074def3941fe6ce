// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.graph.Shape;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dead letters: shown, handed out again, or dropped. */
final class DeadRule {

    private static final Pattern ID = Pattern.compile("(\\d{1,4})-(\\d{1,18})");

    /** How many at a time: what has to wait for one call waits for no more than these. */
    static final int MOST = 1_000;

    /**
     * Some of the dead letters.
     *
     * @param next from where the others follow; null if there are none
     * @param touched how many they were
     */
    record Part(AsideCursor next, long touched) {}

    /** Where a message stands: its lane and position. */
    private record Place(int lane, long position) {}

    private final RingRows rows;
    private final Shape shape;
    private final String stage;

    /** By lane: the oldest position that is held, and the other stages that keep anything. */
    private final Map<Integer, Long> oldest = new HashMap<>();

    private final Map<Integer, List<String>> others = new HashMap<>();

    DeadRule(RingRows rows, Shape shape, String stage) {
        this.rows = rows;
        this.shape = shape;
        this.stage = shape.spec().stages().get(stage).name();
    }

    /** The next behind one of that id; the first where it is null. */
    List<DeadLetter> letters(String behind, int max) {
        Place from = behind == null ? new Place(0, -1) : place(behind);
        AsideCursor cursor =
                new AsideCursor(stage, AsideRow.State.DEAD, from.lane(), from.position());
        List<AsideRow> found = new AsidePages(rows, shape, cursor).next(max);
        return found.stream().map(DeadRule::letter).toList();
    }

    /** Hands those with these ids out again; returns how many. */
    long retry(List<String> ids) {
        return each(ids, this::retry);
    }

    /** Forgets those with these ids; returns how many. */
    long drop(List<String> ids) {
        return each(ids, this::drop);
    }

    /** Hands the next ones out again. */
    Part retryFrom(AsideCursor from) {
        return some(from, this::retry);
    }

    /** Forgets the next ones. */
    Part dropFrom(AsideCursor from) {
        return some(from, this::drop);
    }

    private long each(List<String> ids, Consumer<AsideHead> end) {
        Collection<AsideHead> named = named(ids);
        named.forEach(end);
        return named.size();
    }

    private Part some(AsideCursor from, Consumer<AsideHead> end) {
        AsidePages pages = new AsidePages(rows, shape, from);
        List<AsideRow> page = pages.next(MOST);
        page.forEach(row -> end.accept(AsideHead.of(row)));
        return new Part(page.isEmpty() ? null : pages.at(), page.size());
    }

    /**
     * Looks at ids alone.
     *
     * @throws IllegalArgumentException if one is none
     */
    static void checkIds(List<String> ids) {
        ids.forEach(DeadRule::place);
    }

    private Collection<AsideHead> named(List<String> ids) {
        Map<Place, AsideHead> found = new LinkedHashMap<>();
        for (String id : ids) {
            Place place = place(id);
            AsideRow row = rows.aside().get(shape.id(), stage, place.lane(), place.position());
            if (row != null && row.state() == AsideRow.State.DEAD) {
                found.put(place, AsideHead.of(row));
            }
        }
        return found.values();
    }

    private static Place place(String id) {
        Matcher matcher = ID.matcher(id);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is no message id; one looks like 0-17");
        }
        return new Place(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    /** One that cannot be read is shown without its message: it hides no others. */
    private static DeadLetter letter(AsideRow row) {
        try {
            return letter(row, row.delivery(), row.error());
        } catch (SlotMissing lost) {
            Message none = Message.of(new byte[0]);
            Instant pushedAt = Instant.ofEpochMilli(row.pushedAt());
            return letter(
                    row,
                    new Delivery(none, row.lane(), row.position(), row.attempts(), pushedAt),
                    "the message cannot be read, run 'slipring check'; it had failed: "
                            + row.error());
        }
    }

    private static DeadLetter letter(AsideRow row, Delivery delivery, String error) {
        return new DeadLetter(
                row.stage(), delivery, error, row.worker(), Instant.ofEpochMilli(row.failedAt()));
    }

    private void retry(AsideHead head) {
        AsideRow row = head.row();
        rows.aside().put(shape.id(), row.waiting(0, rows.now()));
        count(row, 1, 0, 0);
    }

    private void drop(AsideHead head) {
        AsideRow row = head.row();
        boolean held = row.position() >= oldest.computeIfAbsent(row.lane(), this::oldest);
        if (held || isKeptElsewhere(row)) {
            rows.aside().put(shape.id(), row.droppedFor(row.stage(), row.blocks()));
            count(row, 0, 1, -head.bytes());
            if (!held) {
                GateRule.letGo(rows, shape, row.lane(), List.of(row.position()));
            }
        } else {
            rows.aside().delete(shape.id(), row);
            count(row, 0, 0, -head.bytes());
        }
    }

    private long oldest(int lane) {
        return rows.lanes().oldest(shape.id(), lane).orElse(Long.MAX_VALUE);
    }

    /** Whether another stage has a row of the message: it could come to those that follow. */
    private boolean isKeptElsewhere(AsideRow row) {
        List<String> keeping = others.computeIfAbsent(row.lane(), this::othersThatKeep);
        return !rows.aside().positions(shape.id(), keeping, row.place()).isEmpty();
    }

    private List<String> othersThatKeep(int lane) {
        return shape.spec().stages().names().stream()
                .filter(name -> !name.equals(stage))
                .filter(name -> rows.strands().there(shape, name, lane).keeps())
                .toList();
    }

    private void count(AsideRow row, long waiting, long dropped, long bytes) {
        Strand strand = rows.strands().there(shape, row.stage(), row.lane());
        rows.strands().put(shape.id(), strand.kept(waiting, -1, dropped, bytes));
    }
}
