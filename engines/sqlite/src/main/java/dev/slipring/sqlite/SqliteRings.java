// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.Epochs;
import dev.slipring.ledger.RingTable;
import dev.slipring.sql.StageRows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Rings and their shapes in SQL. */
final class SqliteRings implements RingTable {

    private static final List<String> TABLES =
            List.of("slipring_stage", "slipring_sequence", "slipring_producer", "slipring_aside");

    private final Statements statements;
    private final Shelves shelves;
    private final SqliteLanes lanes;
    private final SqliteStrands strands;

    /** Shapes by name, right where the id and the version are. */
    private final Map<String, Shape> cache;

    /** Shapes by name that are right, as nobody else has written since. */
    private final Map<String, Shape> known = new HashMap<>();

    /** What this transaction read, to be remembered if it commits. */
    private final Map<String, Shape> read = new HashMap<>();

    /**
     * Whether this transaction changed shapes, so that what it reads may never be true for others.
     */
    private boolean changed;

    SqliteRings(
            Statements statements,
            Shelves shelves,
            SqliteLanes lanes,
            SqliteStrands strands,
            Map<String, Shape> cache) {
        this.statements = statements;
        this.shelves = shelves;
        this.lanes = lanes;
        this.strands = strands;
        this.cache = cache;
    }

    void end(boolean committed) {
        if (committed && !changed && !read.isEmpty()) {
            cache.putAll(read);
        }
        read.clear();
        changed = false;
    }

    /** Forgets what was read. */
    void forget() {
        known.clear();
        shelves.forget();
    }

    @Override
    public List<String> names() {
        return statements.list(
                "SELECT name FROM slipring_ring ORDER BY name", row -> row.getString(1));
    }

    @Override
    public Shape find(String name) {
        Shape found = known.get(name);
        if (found == null) {
            found = look(name);
            if (found != null) {
                known.put(name, found);
            }
        }
        return found;
    }

    @Override
    public OptionalLong id(String name) {
        long[] row = row(name);
        return row == null ? OptionalLong.empty() : OptionalLong.of(row[0]);
    }

    /** Id and version of a ring, whose shelf is known from now on; null if there is none. */
    private long[] row(String name) {
        return statements.first(
                "SELECT id, version, shelf FROM slipring_ring WHERE name = ?",
                row -> {
                    shelves.found(row.getLong(1), row.getLong(3));
                    return new long[] {row.getLong(1), row.getLong(2)};
                },
                name);
    }

    private Shape look(String name) {
        long[] now = row(name);
        if (now == null) {
            return null;
        }
        Shape before = cache.get(name);
        if (before != null && before.id() == now[0] && before.version() == now[1]) {
            return before;
        }
        Shape shape = read(now[0], now[1]);
        read.put(name, shape);
        return shape;
    }

    private Shape read(long ring, long version) {
        StageRows stages = new StageRows();
        statements.each(
                "SELECT name, mode, lease_ms, tries, backoff_first_ms, backoff_most_ms,"
                        + " keep, after, paused FROM slipring_stage WHERE ring = ?"
                        + " ORDER BY number",
                row -> {
                    stages.read(row, 1);
                    return true;
                },
                ring);
        return statements.first(
                "SELECT name, lanes, messages, bytes FROM slipring_ring WHERE id = ?",
                row ->
                        new Shape(
                                ring,
                                version,
                                new RingSpec(
                                        row.getString(1),
                                        row.getInt(2),
                                        row.getLong(3),
                                        row.getLong(4),
                                        stages.stages()),
                                stages.paused()),
                ring);
    }

    @Override
    public Shape insert(RingSpec spec) {
        long shelf = shelves.free(spec.lanes());
        change();
        statements.update(
                "INSERT INTO slipring_ring (name, version, lanes, messages, bytes, shelf)"
                        + " VALUES (?, 0, ?, ?, ?, ?)",
                spec.name(),
                spec.lanes(),
                spec.messages(),
                spec.bytes(),
                shelf);
        long id = statements.number("SELECT last_insert_rowid()").orElseThrow();
        Shape shape = Epochs.firstShape(id, spec);
        update(shape);
        return shape;
    }

    @Override
    public void update(Shape shape) {
        change();
        RingSpec spec = shape.spec();
        statements.update(
                "UPDATE slipring_ring SET version = ?, messages = ?, bytes = ? WHERE id = ?",
                shape.version(),
                spec.messages(),
                spec.bytes(),
                shape.id());
        statements.update("DELETE FROM slipring_stage WHERE ring = ?", shape.id());
        for (Object[] stage : StageRows.of(shape)) {
            statements.update(
                    "INSERT INTO slipring_stage (ring, number, name, mode, lease_ms,"
                            + " tries, backoff_first_ms, backoff_most_ms, keep, after, paused)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    stage);
        }
    }

    @Override
    public void delete(long ring) {
        change();
        int count =
                (int)
                        statements
                                .number("SELECT lanes FROM slipring_ring WHERE id = ?", ring)
                                .orElse(0);
        for (int lane = 0; lane < count; lane++) {
            lanes.clear(ring, lane);
        }
        lanes.known().forget(id -> id == ring);
        strands.known().forget(key -> key.ring() == ring);
        for (String table : TABLES) {
            statements.update("DELETE FROM " + table + " WHERE ring = ?", ring);
        }
        statements.update("DELETE FROM slipring_ring WHERE id = ?", ring);
    }

    private void change() {
        changed = true;
        known.clear();
    }
}
