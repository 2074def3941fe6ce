// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.Stages;
import dev.slipring.ledger.Epochs;
import dev.slipring.ledger.RingTable;
import dev.slipring.sql.StageRows;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Rings and their shapes. A shape is remembered; whoever relies on it checks that it holds. */
final class JdbcRings implements RingTable {

    private static final List<String> TABLES =
            List.of(
                    "slipring_stage",
                    "slipring_lane",
                    "slipring_gate",
                    "slipring_strand",
                    "slipring_slot",
                    "slipring_content_0",
                    "slipring_content_1",
                    "slipring_content_2",
                    "slipring_content_3",
                    "slipring_producer",
                    "slipring_aside",
                    "slipring_aside_piece");

    /** A ring with its stages in order, a row for each; one if it has lost them all. */
    private static final String SHAPE =
            "SELECT r.id, r.version, r.lanes, r.messages, r.bytes, s.name, s.mode, s.lease_ms,"
                    + " s.tries, s.backoff_first_ms, s.backoff_most_ms, s.keep_most, s.follows,"
                    + " s.paused FROM slipring_ring r"
                    + " LEFT JOIN slipring_stage s ON s.ring = r.id WHERE r.name = ?"
                    + " ORDER BY s.number";

    private final JdbcRows rows;
    private final Memo memo;
    private final Map<String, Shape> shapes;
    private final List<Long> dropped = new ArrayList<>();
    private boolean changed;

    JdbcRings(JdbcRows rows, Memo memo) {
        this.rows = rows;
        this.memo = memo;
        shapes = memo.shapes();
    }

    void committed() {
        if (changed) {
            shapes.clear();
        }
        dropped.forEach(memo::forget);
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>();
        rows.work()
                .look(
                        new Script()
                                .read(
                                        "SELECT name FROM slipring_ring ORDER BY name",
                                        row -> names.add(row.getString(1))));
        return names;
    }

    @Override
    public Shape find(String name) {
        Shape shape = shapes.get(name);
        if (shape == null || rows.work().isReading()) {
            shape = read(name);
        }
        if (shape != null) {
            rows.uses(shape, new RingState(rows.work(), shape));
        }
        return shape;
    }

    @Override
    public OptionalLong id(String name) {
        List<Long> id = new ArrayList<>();
        rows.work().look(new Script().read(SHAPE, row -> id.add(row.getLong(1)), name));
        return id.isEmpty() ? OptionalLong.empty() : OptionalLong.of(id.get(0));
    }

    private Shape read(String name) {
        long[] numbers = new long[5];
        StageRows stages = new StageRows();
        Script script = new Script();
        if (rows.work().isReading()) {
            rows.work().dialect().keepReading().ifPresent(sql -> script.run(sql, name));
        }
        script.read(
                SHAPE,
                row -> {
                    for (int i = 0; i < numbers.length; i++) {
                        numbers[i] = row.getLong(i + 1);
                    }
                    if (row.getString(6) != null) {
                        stages.read(row, 6);
                    }
                },
                name);
        rows.work().look(script);
        boolean isThere = numbers[2] > 0; // a ring has lanes, whatever it has lost
        Shape shape = isThere ? shape(name, numbers, stages.stages(), stages.paused()) : null;
        if (!rows.work().isReading()) {
            memo.found(name, shape);
        }
        if (shape == null) {
            shapes.remove(name);
        } else {
            shapes.put(name, shape);
        }
        return shape;
    }

    private static Shape shape(String name, long[] numbers, Stages stages, Set<String> paused) {
        RingSpec spec = new RingSpec(name, (int) numbers[2], numbers[3], numbers[4], stages);
        return new Shape(numbers[0], numbers[1], spec, paused);
    }

    @Override
    public Shape insert(RingSpec spec) {
        checkNames(spec.stages());
        changed = true;
        Shape shape = Epochs.firstShape(nextId(), spec);
        Script script = new Script();
        script.run(
                "INSERT INTO slipring_ring (id, name, version, lanes, messages, bytes, origin)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                shape.id(),
                spec.name(),
                shape.version(),
                spec.lanes(),
                spec.messages(),
                spec.bytes(),
                ThreadLocalRandom.current().nextLong());
        stages(script, shape);
        rows.work().run(script);
        RingState state = new RingState(rows.work(), shape);
        state.beginNew(rows.now());
        rows.uses(shape, state);
        return shape;
    }

    /** Refuses what no claim could name: the stage and all before it, in one value. */
    private void checkNames(Stages stages) {
        int most = rows.work().dialect().mostNames();
        for (String stage : stages.names()) {
            Set<String> before = stages.ancestors(stage);
            int length = stage.length() + before.stream().mapToInt(String::length).sum();
            if (length + before.size() > most) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "stage '%s' has %,d stages before it, and their names are too"
                                        + " long: with its own, and a comma between, they may have"
                                        + " %,d characters here, and have %,d",
                                stage,
                                before.size(),
                                most,
                                length + before.size()));
            }
        }
    }

    private long nextId() {
        List<Long> id = new ArrayList<>();
        Dialect dialect = rows.work().dialect();
        List<String> next = dialect.nextRing();
        Script number = new Script();
        next.subList(0, next.size() - 1).forEach(number::run);
        rows.work().run(number.read(next.get(next.size() - 1), row -> id.add(row.getLong(1))));
        if (id.isEmpty()) {
            throw new StoreFailed(dialect.noNextRing());
        }
        return id.get(0);
    }

    @Override
    public void update(Shape shape) {
        checkNames(shape.spec().stages());
        changed = true;
        Script script = new Script();
        script.run(
                "UPDATE slipring_ring SET version = ?, messages = ?, bytes = ? WHERE id = ?",
                shape.version(),
                shape.spec().messages(),
                shape.spec().bytes(),
                shape.id());
        script.run("DELETE FROM slipring_stage WHERE ring = ?", shape.id());
        stages(script, shape);
        rows.work().dialect().takeRoomBack().ifPresent(sql -> script.run(sql, shape.id()));
        // Whoever remembers a back relies on the shape that the ring had then.
        script.run("UPDATE slipring_gate SET moves = moves + 1 WHERE ring = ?", shape.id());
        rows.work().run(script);
        rows.uses(shape, null);
    }

    private static void stages(Script script, Shape shape) {
        for (Object[] stage : StageRows.of(shape)) {
            script.run(
                    "INSERT INTO slipring_stage (ring, number, name, mode, lease_ms, tries,"
                            + " backoff_first_ms, backoff_most_ms, keep_most, follows, paused)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    stage);
        }
    }

    @Override
    public void delete(long ring) {
        changed = true;
        dropped.add(ring);
        Script script = new Script();
        Dialect dialect = rows.work().dialect();
        TABLES.forEach(table -> script.run(dialect.delete(table, "ring = ?"), ring));
        script.run("DELETE FROM slipring_ring WHERE id = ?", ring);
        rows.work().run(script);
    }
}
