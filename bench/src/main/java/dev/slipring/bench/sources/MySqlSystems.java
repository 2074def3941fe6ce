// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The systems of the texts on MariaDB, and on MySQL, which has no sequences: an AUTO_INCREMENT that
 * is rolled back takes their place, so its {@code lmax} counts like {@code lmax-counter}. Bodies
 * have 300 bytes and all differ. A sleep that a text asks for is cut short by the end of the
 * window.
 */
final class MySqlSystems {

    private static final String BODY = "RPAD(CONCAT(n, '-', RAND()), 300, '.')";

    private static final String RING =
            "CREATE TABLE source_ring (slot BIGINT NOT NULL PRIMARY KEY, message_id BIGINT,"
                    + " at DATETIME(6) NOT NULL, message CHAR(255) NOT NULL,"
                    + " more CHAR(45) NOT NULL, reference_count TINYINT NOT NULL)"
                    + " ENGINE = InnoDB";

    private static final String SCATTER =
            "%s + 1000000000 * ELT(1 + %s %% 10, 0, 5, 1, 8, 2, 7, 3, 6, 4, 9)";

    private static final String SEQUENCE = "    SET n = NEXT VALUE FOR source_%s_sequence;\n";

    /** An AUTO_INCREMENT that is rolled back, as near as InnoDB has Adkin's counter. */
    private static final String COUNTER =
            "    START TRANSACTION;\n"
                    + "    INSERT INTO source_%s_counter VALUES (NULL);\n"
                    + "    SET n = LAST_INSERT_ID();\n"
                    + "    ROLLBACK;\n";

    private final boolean hasSequences;
    private final long slots;
    private final String next;

    MySqlSystems(boolean hasSequences, long slots) {
        this.hasSequences = hasSequences;
        this.slots = slots;
        next = hasSequences ? SEQUENCE : COUNTER;
    }

    List<SourceSystem> all() {
        String scattered = String.format(Locale.ROOT, SCATTER, "(n % slots)", "(n % slots)");
        List<SourceSystem> all = new ArrayList<>();
        all.add(naive());
        all.add(lmax("lmax", next, "n % slots", false));
        all.add(cycle());
        all.add(addendum());
        all.add(lmax("lmax-scattered", next, scattered, true));
        if (hasSequences) {
            all.add(lmax("lmax-counter", COUNTER, "n % slots", false));
        }
        all.add(randomLane("random-lane", "lane = FLOOR(RAND() * 1000)", true));
        all.add(randomLane("random-lane-at-least", "lane >= FLOOR(RAND() * 1000)", true));
        all.add(randomLane("random-lane-no-index", "lane >= FLOOR(RAND() * 1000)", false));
        return all;
    }

    private SourceSystem naive() {
        return new SourceSystem(
                "naive",
                List.of(
                        "CREATE TABLE source_ring (message_id BIGINT NOT NULL PRIMARY KEY,"
                                + " at DATETIME(6), message VARCHAR(300)) ENGINE = InnoDB",
                        hasSequences
                                ? "CREATE SEQUENCE source_push_sequence CACHE 1000"
                                : counter("push")),
                String.format(Locale.ROOT, next, "push")
                        + "    INSERT INTO source_ring VALUES (n, NOW(6), "
                        + BODY
                        + ");\n"
                        + "    IF ROW_COUNT() = 1 THEN SET moved = moved + 1; END IF;\n",
                "    DELETE FROM source_ring ORDER BY message_id LIMIT 1;\n"
                        + counted("    DO SLEEP(0.001);\n"));
    }

    /**
     * Kejser's: the slot is the number modulo the slots; a pop matches the message's id, and tries
     * the same slot again.
     */
    private SourceSystem lmax(String name, String number, String slot, boolean scattered) {
        String push =
                String.format(Locale.ROOT, number, "push")
                        + "    SET found = 0;\n"
                        + "    WHILE found = 0 AND UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                        + "      "
                        + update("message_id = n", 1, slot, "reference_count = 0")
                        + "      SET found = ROW_COUNT();\n"
                        + "      IF found = 0 THEN DO SLEEP(0.1); END IF;\n"
                        + "    END WHILE;\n"
                        + "    SET moved = moved + found;\n";
        String pop =
                String.format(Locale.ROOT, number, "pop")
                        + "    SET found = 0;\n"
                        + "    WHILE found = 0 AND UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                        + "      "
                        + take(slot, "message_id = n")
                        + "      SET found = ROW_COUNT();\n"
                        + "      IF found = 0 THEN DO SLEEP(LEAST(1, GREATEST(0,"
                        + " until_time - UNIX_TIMESTAMP(SYSDATE(6))))); END IF;\n"
                        + "    END WHILE;\n"
                        + "    SET moved = moved + found;\n";
        return new SourceSystem(name, ring(scattered, ""), push, pop);
    }

    /**
     * Adkin's: sequences that cycle; a pop matches the reference count, and goes on to the next
     * slot.
     */
    private SourceSystem cycle() {
        String cycling = next + (hasSequences ? "" : "    SET n = 1 + (n - 1) %% slots;\n");
        return new SourceSystem(
                "lmax-cycle",
                ring(false, " MAXVALUE " + slots + " CYCLE"),
                String.format(Locale.ROOT, cycling, "push")
                        + "    "
                        + update("message_id = n", 1, "n - 1", "reference_count = 0")
                        + counted("    DO SLEEP(0.001);\n"),
                String.format(Locale.ROOT, cycling, "pop")
                        + "    "
                        + take("n - 1", "reference_count > 0")
                        + counted("    DO SLEEP(0.001);\n"));
    }

    /** Adkin's pop for production: the sequence moves on only if there was a message. */
    private SourceSystem addendum() {
        List<String> tables = new ArrayList<>(ring(false, ""));
        tables.add("CREATE TABLE source_place (id INT PRIMARY KEY, n BIGINT) ENGINE = InnoDB");
        tables.add("INSERT INTO source_place VALUES (1, 1)");
        return new SourceSystem(
                "lmax-addendum",
                tables,
                String.format(Locale.ROOT, next, "push")
                        + "    "
                        + update("message_id = n", 1, "n % slots", "reference_count = 0")
                        + counted("    DO SLEEP(0.001);\n"),
                "    SELECT p.n INTO n FROM source_place p WHERE p.id = 1;\n"
                        + "    "
                        + take("n % slots", "reference_count > 0")
                        + "    IF ROW_COUNT() = 0 THEN DO SLEEP(0.001);\n"
                        + "    ELSE\n"
                        + "      UPDATE source_place p SET p.n = p.n + 1 WHERE p.id = 1;\n"
                        + "      SET moved = moved + 1;\n"
                        + "    END IF;\n");
    }

    /** That of the MongoDB text: a pop looks into a random lane first, so that pops do not meet. */
    private static SourceSystem randomLane(String name, String where, boolean indexed) {
        return new SourceSystem(
                name,
                List.of(
                        "CREATE TABLE source_ring (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                                + " lane INT NOT NULL, message VARCHAR(300)"
                                + (indexed ? ", KEY (lane, id)" : "")
                                + ") ENGINE = InnoDB"),
                "    SET n = FLOOR(RAND() * 1000);\n"
                        + "    INSERT INTO source_ring (lane, message) VALUES (n, "
                        + BODY
                        + ");\n"
                        + "    IF ROW_COUNT() = 1 THEN SET moved = moved + 1; END IF;\n",
                "    SET found = FLOOR(RAND() * 1000);\n"
                        + "    DELETE FROM source_ring WHERE "
                        + where.replace("FLOOR(RAND() * 1000)", "found")
                        + " LIMIT 1;\n"
                        + counted(
                                "    DELETE FROM source_ring LIMIT 1;\n"
                                        + counted("    DO SLEEP(0.001);\n")));
    }

    private static String counted(String otherwise) {
        return "    IF ROW_COUNT() = 1 THEN SET moved = moved + 1;\n    ELSE\n"
                + otherwise
                + "    END IF;\n";
    }

    private static String update(String set, int add, String slot, String free) {
        return "UPDATE source_ring SET at = NOW(6), message = RPAD(CONCAT(n, '-', RAND()), 255,"
                + " '.'), "
                + set
                + ", reference_count = reference_count + "
                + add
                + " WHERE slot = "
                + slot
                + " AND "
                + free
                + ";\n";
    }

    /** Reads the message and frees its slot in one statement, as SQL Server's UPDATE can. */
    private static String take(String slot, String there) {
        return "UPDATE source_ring SET at = NOW(6), message = (@body := message),"
                + " message_id = NULL, reference_count = reference_count - 1 WHERE slot = "
                + slot
                + " AND "
                + there
                + ";\n";
    }

    private List<String> ring(boolean scattered, String sequence) {
        String key = scattered ? String.format(Locale.ROOT, SCATTER, "seq", "seq") : "seq";
        List<String> tables = new ArrayList<>();
        tables.add(RING);
        if (!hasSequences) {
            tables.add("SET SESSION cte_max_recursion_depth = " + (slots + 1));
        }
        tables.add(
                "INSERT INTO source_ring "
                        + (hasSequences
                                ? ""
                                : "WITH RECURSIVE numbers (seq) AS (SELECT 0 UNION ALL SELECT"
                                        + " seq + 1 FROM numbers WHERE seq < "
                                        + (slots - 1)
                                        + ") ")
                        + "SELECT "
                        + key
                        + ", NULL, '2035-01-01', RPAD('dummy', 255, '.'), RPAD('', 45, '.'), 0"
                        + " FROM "
                        + (hasSequences ? "seq_0_to_" + (slots - 1) : "numbers"));
        for (String way : List.of("push", "pop")) {
            if (hasSequences) {
                tables.add(
                        "CREATE SEQUENCE source_" + way + "_sequence" + sequence + " CACHE 1000");
            }
            tables.add(counter(way));
        }
        return tables;
    }

    private static String counter(String way) {
        return "CREATE TABLE source_"
                + way
                + "_counter (n BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY) ENGINE = InnoDB";
    }
}
