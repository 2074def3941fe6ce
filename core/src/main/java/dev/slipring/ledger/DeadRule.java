// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.DeadLetter;
import dev.slipring.engine.Burial;
import dev.slipring.engine.DeadRequest;
import dev.slipring.engine.Shape;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dead letters: shown, handed out again, or dropped. */
final class DeadRule {

    private static final Pattern ID = Pattern.compile("(\\d{1,4})-(\\d{1,18})");

    private final Rows rows;
    private final Shape shape;
    private final DeadRequest request;

    DeadRule(Rows rows, Shape shape, DeadRequest request) {
        this.rows = rows;
        this.shape = shape;
        this.request = request;
        shape.spec().stages().get(request.stage());
    }

    Burial apply() {
        List<AsideRow> dead = find();
        switch (request.action()) {
            case LIST -> {
                return new Burial(dead.stream().map(DeadRule::letter).toList(), dead.size());
            }
            case RETRY -> dead.forEach(this::retry);
            case DROP -> dead.forEach(this::drop);
        }
        return new Burial(List.of(), dead.size());
    }

    private List<AsideRow> find() {
        if (request.ids().isEmpty()) {
            return rows.aside()
                    .list(shape.id(), request.stage(), AsideRow.State.DEAD, request.limit());
        }
        Map<String, AsideRow> found = new LinkedHashMap<>();
        request.ids().stream()
                .map(this::find)
                .filter(Objects::nonNull)
                .filter(row -> row.state() == AsideRow.State.DEAD)
                .forEach(row -> found.put(row.lane() + "-" + row.position(), row));
        return List.copyOf(found.values());
    }

    private AsideRow find(String id) {
        Matcher matcher = ID.matcher(id);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + id + "' is no message id; one looks like 0-17");
        }
        int lane = Integer.parseInt(matcher.group(1));
        return rows.aside()
                .get(shape.id(), request.stage(), lane, Long.parseLong(matcher.group(2)));
    }

    private static DeadLetter letter(AsideRow row) {
        return new DeadLetter(
                row.stage(),
                HandOut.delivery(row),
                row.error(),
                row.worker(),
                Instant.ofEpochMilli(row.failedAt()));
    }

    private void retry(AsideRow row) {
        rows.aside().put(shape.id(), row.waiting(0, rows.now()));
        count(row, 1, 0, 0);
    }

    private void drop(AsideRow row) {
        if (FollowRule.isAround(rows, shape, row)) {
            rows.aside().put(shape.id(), row.droppedFor(row.stage(), row.blocks()));
            count(row, 0, 1, -row.message().length);
        } else {
            rows.aside().delete(shape.id(), row.stage(), row.lane(), row.position());
            count(row, 0, 0, -row.message().length);
        }
    }

    private void count(AsideRow row, long waiting, long dropped, long bytes) {
        Strand strand = rows.strands().get(shape.id(), row.stage(), row.lane());
        rows.strands().put(shape.id(), strand.kept(waiting, -1, dropped, bytes));
    }
}
