// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The systems of the texts in PL/pgSQL. If a session took many numbers of a sequence at once,
 * others would wait for these numbers, so each takes one at a time. A sequence is the counter
 * without latches that Adkin built, so there is no {@code lmax-counter}.
 */
final class PostgresSystems {

    private static final String SCATTER =
            "%s + 1000000000::bigint * (ARRAY[0, 5, 1, 8, 2, 7, 3, 6, 4, 9])[1 + %s %% 10]";

    private static final String COUNT =
            "    GET DIAGNOSTICS found_rows = ROW_COUNT;\n    COMMIT;\n";

    private static final String LEFT =
            "least(%s, greatest(0, until_time - extract(epoch FROM clock_timestamp())))";

    private final long slots;

    PostgresSystems(long slots) {
        this.slots = slots;
    }

    List<SourceSystem> all() {
        String scattered = String.format(Locale.ROOT, SCATTER, "(n % slots)", "(n % slots)");
        return List.of(
                naive(),
                lmax("lmax", "n % slots", false),
                cycle(),
                addendum(),
                lmax("lmax-scattered", scattered, true),
                randomLane("random-lane", "=", true),
                randomLane("random-lane-at-least", ">=", true),
                randomLane("random-lane-no-index", ">=", false));
    }

    private static SourceSystem naive() {
        return new SourceSystem(
                "naive",
                List.of(
                        "CREATE TABLE source_ring (message_id BIGINT PRIMARY KEY,"
                                + " at TIMESTAMPTZ, message TEXT)",
                        "CREATE SEQUENCE source_push_sequence"),
                next("push")
                        + "    INSERT INTO source_ring VALUES (n, clock_timestamp(), "
                        + body(300)
                        + ");\n    COMMIT;\n    moved := moved + 1;\n",
                "    DELETE FROM source_ring WHERE message_id = (SELECT message_id FROM source_ring"
                        + " ORDER BY message_id LIMIT 1 FOR UPDATE SKIP LOCKED)"
                        + " RETURNING message INTO body;\n"
                        + counted());
    }

    /**
     * Kejser's: the slot is the number modulo the slots; a pop matches the message's id, and tries
     * the same slot again.
     */
    private SourceSystem lmax(String name, String slot, boolean scattered) {
        return new SourceSystem(
                name,
                ring(scattered, ""),
                next("push") + insisting(put(slot), "0.1"),
                next("pop") + insisting(take(slot, "message_id = n"), "1"));
    }

    private static String insisting(String statement, String seconds) {
        return "    LOOP\n"
                + statement
                + COUNT
                + "    moved := moved + found_rows;\n"
                + "    EXIT WHEN found_rows = 1"
                + " OR extract(epoch FROM clock_timestamp()) >= until_time;\n"
                + "    PERFORM pg_sleep("
                + String.format(Locale.ROOT, LEFT, seconds)
                + ");\n"
                + "    END LOOP;\n";
    }

    /**
     * Adkin's: sequences that cycle; a pop matches the reference count, and goes on to the next
     * slot.
     */
    private SourceSystem cycle() {
        return new SourceSystem(
                "lmax-cycle",
                ring(false, " MAXVALUE " + slots + " CYCLE"),
                next("push") + put("n - 1") + counted(),
                next("pop") + take("n - 1", "reference_count > 0") + counted());
    }

    /** Adkin's pop for production: the sequence moves on only if there was a message. */
    private SourceSystem addendum() {
        List<String> tables = new ArrayList<>(ring(false, ""));
        tables.add("CREATE TABLE source_place (id INT PRIMARY KEY, n BIGINT)");
        tables.add("INSERT INTO source_place VALUES (1, 1)");
        return new SourceSystem(
                "lmax-addendum",
                tables,
                next("push") + put("n % slots") + counted(),
                "    SELECT p.n INTO n FROM source_place p WHERE p.id = 1;\n"
                        + take("n % slots", "reference_count > 0")
                        + "    GET DIAGNOSTICS found_rows = ROW_COUNT;\n"
                        + "    IF found_rows = 1 THEN\n"
                        + "      UPDATE source_place p SET n = p.n + 1 WHERE p.id = 1;\n"
                        + "    END IF;\n"
                        + "    COMMIT;\n"
                        + "    moved := moved + found_rows;\n"
                        + "    IF found_rows = 0 THEN PERFORM pg_sleep(0.001); END IF;\n");
    }

    /** That of the MongoDB text: a pop looks into a random lane first, so that pops do not meet. */
    private static SourceSystem randomLane(String name, String compares, boolean indexed) {
        List<String> tables = new ArrayList<>();
        tables.add(
                "CREATE TABLE source_ring (id BIGSERIAL PRIMARY KEY, lane INT NOT NULL,"
                        + " message TEXT)");
        if (indexed) {
            tables.add("CREATE INDEX ON source_ring (lane, id)");
        }
        return new SourceSystem(
                name,
                tables,
                "    n := floor(random() * 1000);\n"
                        + "    INSERT INTO source_ring (lane, message) VALUES (n, "
                        + body(300)
                        + ");\n    COMMIT;\n    moved := moved + 1;\n",
                "    n := floor(random() * 1000);\n"
                        + one("WHERE lane " + compares + " n")
                        + "    GET DIAGNOSTICS found_rows = ROW_COUNT;\n"
                        + "    IF found_rows = 0 THEN\n"
                        + one("")
                        + "    END IF;\n"
                        + "    IF found_rows = 1 THEN COMMIT; moved := moved + 1;\n    ELSE\n"
                        + counted()
                        + "    END IF;\n");
    }

    private static String one(String where) {
        return "    DELETE FROM source_ring WHERE id = (SELECT id FROM source_ring "
                + where
                + " LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING message INTO body;\n";
    }

    private static String counted() {
        return COUNT
                + "    moved := moved + found_rows;\n"
                + "    IF found_rows = 0 THEN PERFORM pg_sleep(0.001); END IF;\n";
    }

    private static String next(String way) {
        return "    n := nextval('source_" + way + "_sequence');\n";
    }

    private static String body(int length) {
        return "rpad(n || '-' || random(), " + length + ", '.')";
    }

    private static String put(String slot) {
        return "    UPDATE source_ring SET at = clock_timestamp(), message = "
                + body(255)
                + ", message_id = n, reference_count = reference_count + 1 WHERE slot = "
                + slot
                + " AND reference_count = 0;\n";
    }

    private static String take(String slot, String there) {
        return "    UPDATE source_ring SET at = clock_timestamp(), message_id = NULL,"
                + " reference_count = reference_count - 1 WHERE slot = "
                + slot
                + " AND "
                + there
                + " RETURNING message INTO body;\n";
    }

    private List<String> ring(boolean scattered, String sequence) {
        return List.of(
                "CREATE TABLE source_ring (slot BIGINT PRIMARY KEY, message_id BIGINT,"
                        + " at TIMESTAMPTZ NOT NULL, message TEXT NOT NULL, more TEXT NOT NULL,"
                        + " reference_count SMALLINT NOT NULL)",
                "INSERT INTO source_ring SELECT "
                        + (scattered ? String.format(Locale.ROOT, SCATTER, "seq", "seq") : "seq")
                        + ", NULL, '2050-01-01', rpad('dummy', 255, '.'), rpad('', 45, '.'), 0"
                        + " FROM generate_series(0, "
                        + (slots - 1)
                        + ") AS seq",
                "CREATE SEQUENCE source_push_sequence" + sequence,
                "CREATE SEQUENCE source_pop_sequence" + sequence);
    }
}
