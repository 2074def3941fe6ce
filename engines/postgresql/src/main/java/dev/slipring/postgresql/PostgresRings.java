// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;
import dev.slipring.ledger.RingTable;
import dev.slipring.sql.StageRows;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Rings and their shapes, in SQL. */
final class PostgresRings implements RingTable {

    private final Statements statements;
    private final boolean writing;

    PostgresRings(Statements statements, boolean writing) {
        this.statements = statements;
        this.writing = writing;
    }

    @Override
    public List<String> names() {
        return statements.list(
                "SELECT name FROM slipring.ring ORDER BY name", row -> row.getString(1));
    }

    @Override
    public Shape find(String name) {
        if (writing) {
            statements.call("SELECT slipring.begin_change(?)", name);
            if (id(name).isPresent()) {
                statements.call("SELECT slipring.hold_ring(?)", name);
            }
        }
        return statements.first(
                "SELECT id, version, lanes, messages, bytes FROM slipring.ring WHERE name = ?",
                row -> shape(name, row),
                name);
    }

    @Override
    public OptionalLong id(String name) {
        return statements.number("SELECT id FROM slipring.ring WHERE name = ?", name);
    }

    private Shape shape(String name, ResultSet ring) throws SQLException {
        StageRows rows = new StageRows();
        Map<String, Set<String>> ancestors = new HashMap<>();
        Map<String, Set<String>> followers = new HashMap<>();
        statements.each(
                "SELECT name, ordered, lease_ms, tries, backoff_first_ms, backoff_most_ms, keep,"
                    + " after, paused, ancestors, followers FROM slipring.stage WHERE ring = ?"
                    + " ORDER BY number",
                row -> {
                    Mode mode = row.getBoolean(2) ? Mode.ORDERED : Mode.POOL;
                    rows.add(StageRows.stage(row, 1, mode), names(row, 8), row.getBoolean(9));
                    ancestors.put(row.getString(1), names(row, 10));
                    followers.put(row.getString(1), names(row, 11));
                    return true;
                },
                ring.getLong(1));
        Stages stages = rows.stages();
        for (String stage : stages.names()) {
            expect(stage, "ancestors", stages.ancestors(stage), ancestors.get(stage));
            expect(stage, "followers", Set.copyOf(stages.followers(stage)), followers.get(stage));
        }
        RingSpec spec =
                new RingSpec(name, ring.getInt(3), ring.getLong(4), ring.getLong(5), stages);
        return new Shape(ring.getLong(1), ring.getLong(2), spec, rows.paused());
    }

    private static Set<String> names(ResultSet row, int column) throws SQLException {
        return Set.copyOf(List.of((String[]) row.getArray(column).getArray()));
    }

    /** Claims in SQL go by these columns, which say again what the stages follow. */
    private static void expect(String stage, String column, Set<String> wanted, Set<String> found) {
        if (!wanted.equals(found)) {
            throw new IllegalArgumentException(
                    "stage '"
                            + stage
                            + "' has the "
                            + column
                            + " "
                            + new TreeSet<>(found)
                            + " in slipring.stage, and by what the stages follow "
                            + new TreeSet<>(wanted));
        }
    }

    @Override
    public Shape insert(RingSpec spec) {
        long id =
                statements
                        .number(
                                "SELECT slipring.make_ring(?, ?, ?, ?)",
                                spec.name(),
                                spec.lanes(),
                                spec.messages(),
                                spec.bytes())
                        .orElseThrow();
        Shape shape = new Shape(id, 1, spec, Set.of());
        update(shape);
        return shape;
    }

    @Override
    public void update(Shape shape) {
        RingSpec spec = shape.spec();
        Stages stages = spec.stages();
        statements.update(
                "UPDATE slipring.ring SET version = ?, messages = ?, bytes = ? WHERE id = ?",
                shape.version(),
                spec.messages(),
                spec.bytes(),
                shape.id());
        statements.update("DELETE FROM slipring.stage WHERE ring = ?", shape.id());
        int number = 0;
        for (String name : stages.names()) {
            StageSpec stage = stages.get(name);
            statements.update(
                    "INSERT INTO slipring.stage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    shape.id(),
                    name,
                    number++,
                    stage.mode() == Mode.ORDERED,
                    stage.lease().toMillis(),
                    stage.tries(),
                    stage.backoff().first().toMillis(),
                    stage.backoff().most().toMillis(),
                    stage.keep(),
                    shape.paused().contains(name),
                    new TreeSet<>(stages.after(name)).toArray(String[]::new),
                    stages.ancestors(name).toArray(String[]::new),
                    stages.followers(name).toArray(String[]::new));
        }
    }

    @Override
    public void delete(long ring) {
        // Also of a ring that is too broken to be found first.
        statements.call("SELECT slipring.begin_change(name) FROM slipring.ring WHERE id = ?", ring);
        statements.call("SELECT slipring.drop_ring(?)", ring);
    }
}
