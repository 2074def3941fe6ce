// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.graph.Shape;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dead letters: shown, handed out again, or dropped. */
final class DeadRule {

    private static final Pattern ID = Pattern.compile("(\\d{1,4})-(\\d{1,18})");

    /** Where a message stands: its lane and position. */
    private record Place(int lane, long position) {}

    private final RingRows rows;
    private final Shape shape;
    private final String stage;

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

    /** Hands those with these ids out again, or all if there are none; returns how many. */
    long retry(List<String> ids) {
        return each(ids, head -> retry(head.row()));
    }

    /** Forgets those with these ids, or all if there are none; returns how many. */
    long drop(List<String> ids) {
        return each(ids, this::drop);
    }

    private long each(List<String> ids, Consumer<AsideHead> end) {
        if (!ids.isEmpty()) {
            Collection<AsideHead> named = named(ids);
            named.forEach(end);
            return named.size();
        }
        long[] touched = {0};
        // Page by page: the texts of the last failures alone may need much memory.
        AsidePages.all(rows, shape, stage, AsideRow.State.DEAD)
                .forEach(
                        row -> {
                            end.accept(AsideHead.of(row));
                            touched[0]++;
                        });
        return touched[0];
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

    private void retry(AsideRow row) {
        rows.aside().put(shape.id(), row.waiting(0, rows.now()));
        count(row, 1, 0, 0);
    }

    private void drop(AsideHead head) {
        AsideRow row = head.row();
        if (FollowRule.isAround(rows, shape, row)) {
            rows.aside().put(shape.id(), row.droppedFor(row.stage(), row.blocks()));
            count(row, 0, 1, -head.bytes());
        } else {
            rows.aside().delete(shape.id(), row);
            count(row, 0, 0, -head.bytes());
        }
    }

    private void count(AsideRow row, long waiting, long dropped, long bytes) {
        Strand strand = rows.strands().there(shape, row.stage(), row.lane());
        rows.strands().put(shape.id(), strand.kept(waiting, -1, dropped, bytes));
    }
}
