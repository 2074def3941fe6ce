// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.subject.Sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The texts' queues on SQLite, which has neither procedures nor sequences: the same statements from
 * this process, each a transaction, and counters of this process. Only one thread writes at a time,
 * and SQLite is not fair to threads that wait, so they queue for a fair lock of this process. A
 * message is moved by statements, each on a line of its own, that are tried in turn until one finds
 * a row; ?1 is the number, ?2 the slots, ?3 a body or a random lane.
 */
final class SqliteSources implements SourceEngine {

    private static final String SCATTER = "%s + 1000000000 * substr('0518273649', 1 + %s %% 10, 1)";

    private static final int LANES = 1_000;

    private final AtomicLong pushed = new AtomicLong();
    private final AtomicLong popped = new AtomicLong();
    private final ReentrantLock writing = new ReentrantLock(true);

    @Override
    public List<SourceSystem> systems(long slots) {
        String scattered = String.format(Locale.ROOT, SCATTER, "(?1 % ?2)", "(?1 % ?2)");
        return List.of(
                new SourceSystem(
                        "naive",
                        List.of(
                                "CREATE TABLE source_ring (message_id INTEGER PRIMARY KEY,"
                                        + " at INTEGER, message TEXT)"),
                        "INSERT INTO source_ring VALUES (?1, unixepoch() + 0 * ?2, ?3)"
                                + " RETURNING 1",
                        "DELETE FROM source_ring WHERE message_id ="
                                + " (SELECT min(message_id) FROM source_ring) RETURNING message"),
                ring("lmax", "?1 % ?2", "message_id = ?1", slots, false),
                ring("lmax-cycle", "?1 % ?2", "reference_count > 0", slots, false),
                ring("lmax-addendum", "?1 % ?2", "reference_count > 0", slots, false),
                ring("lmax-scattered", scattered, "message_id = ?1", slots, true),
                randomLane("random-lane", "=", true),
                randomLane("random-lane-at-least", ">=", true),
                randomLane("random-lane-no-index", ">=", false));
    }

    private static SourceSystem ring(
            String name, String slot, String there, long slots, boolean scattered) {
        return new SourceSystem(
                name,
                List.of(
                        "CREATE TABLE source_ring (slot INTEGER PRIMARY KEY, message_id INTEGER,"
                                + " at INTEGER NOT NULL, message TEXT NOT NULL,"
                                + " reference_count INTEGER NOT NULL)",
                        "INSERT INTO source_ring WITH RECURSIVE numbers (seq) AS (SELECT 0 UNION"
                                + " ALL SELECT seq + 1 FROM numbers WHERE seq < "
                                + (slots - 1)
                                + ") SELECT "
                                + (scattered
                                        ? String.format(Locale.ROOT, SCATTER, "seq", "seq")
                                        : "seq")
                                + ", NULL, 0, printf('%.300c', '.'), 0 FROM numbers"),
                "UPDATE source_ring SET at = unixepoch(), message_id = ?1, message = ?3,"
                        + " reference_count = reference_count + 1 WHERE slot = "
                        + slot
                        + " AND reference_count = 0 RETURNING 1",
                "UPDATE source_ring SET at = unixepoch(), message_id = NULL,"
                        + " reference_count = reference_count - 1 WHERE slot = "
                        + slot
                        + " AND "
                        + there
                        + " RETURNING message");
    }

    private static SourceSystem randomLane(String name, String compares, boolean indexed) {
        List<String> tables = new ArrayList<>();
        tables.add(
                "CREATE TABLE source_ring (id INTEGER PRIMARY KEY, lane INTEGER NOT NULL,"
                        + " message TEXT)");
        if (indexed) {
            tables.add("CREATE INDEX source_lane ON source_ring (lane, id)");
        }
        return new SourceSystem(
                name,
                tables,
                "INSERT INTO source_ring (lane, message) VALUES (abs(random() % "
                        + LANES
                        + "), ?3) RETURNING ?1 + ?2",
                "DELETE FROM source_ring WHERE id = (SELECT id FROM source_ring WHERE lane "
                        + compares
                        + " ?3 LIMIT 1) RETURNING message\n"
                        + "DELETE FROM source_ring WHERE id ="
                        + " (SELECT id FROM source_ring LIMIT 1) RETURNING message");
    }

    @Override
    public List<String> making(SourceSystem system, Experiment experiment) {
        pushed.set(0);
        popped.set(0);
        return system.tables();
    }

    @Override
    public double now(Connection connection) {
        return System.currentTimeMillis() / 1e3;
    }

    /** Nothing to do here: each connection that moves messages sets it for itself. */
    @Override
    public Relaxed relax(Way way) {
        return Relaxed.FOR_GOOD;
    }

    @Override
    public long move(
            Connection connection,
            SourceSystem system,
            boolean pushes,
            Span span,
            Experiment experiment)
            throws SQLException {
        if (!experiment.synced()) {
            Sql.run(connection, "PRAGMA synchronous = NORMAL");
        }
        boolean insists = system.name().equals("lmax") || system.name().equals("lmax-scattered");
        boolean stays = !pushes && system.name().equals("lmax-addendum");
        AtomicLong counter = pushes ? pushed : popped;
        List<PreparedStatement> statements = new ArrayList<>();
        for (String sql : (pushes ? system.push() : system.pop()).split("\n")) {
            statements.add(connection.prepareStatement(sql));
        }
        Unit unit = new Unit(connection, writing, pushes ? 1 : experiment.most());
        Random random = new Random();
        long moved = 0;
        double until = span.until();
        try {
            for (double now = now(connection); now < until; now = now(connection)) {
                boolean counts = now >= span.from();
                long number = stays ? counter.get() : counter.getAndIncrement();
                boolean found;
                do {
                    unit.begin();
                    found = moves(statements, pushes, number, experiment.slots(), random);
                    if (found && stays) {
                        counter.compareAndSet(number, number + 1);
                    }
                    unit.moved(found);
                    if (!found) {
                        pause(pauseMillis(insists, pushes), until);
                    }
                } while (!found && insists && now(connection) < until);
                moved += found && counts ? 1 : 0;
            }
        } finally {
            unit.end();
        }
        return moved;
    }

    private boolean moves(
            List<PreparedStatement> statements,
            boolean pushes,
            long number,
            long slots,
            Random random)
            throws SQLException {
        for (PreparedStatement statement : statements) {
            int values = statement.getParameterMetaData().getParameterCount();
            for (int at = 1; at <= values; at++) {
                if (at < 3) {
                    statement.setLong(at, at == 1 ? number : slots);
                } else if (pushes) {
                    String body = number + "-" + random.nextDouble();
                    statement.setString(at, body + ".".repeat(300 - body.length()));
                } else {
                    statement.setInt(at, random.nextInt(LANES));
                }
            }
            try (ResultSet row = statement.executeQuery()) {
                boolean found = row.next();
                while (found && row.next()) {
                    // The statement is read to its end, as it commits only then.
                    continue;
                }
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long pauseMillis(boolean insists, boolean pushes) {
        if (!insists) {
            return 1;
        }
        return pushes ? 100 : 1_000;
    }

    private static void pause(long millis, double until) {
        try {
            long left = (long) (until * 1e3) - System.currentTimeMillis();
            TimeUnit.MILLISECONDS.sleep(Math.max(0, Math.min(millis, left)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
