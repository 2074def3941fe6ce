// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.util.ArrayList;
import java.util.List;

/**
 * The systems of the texts on MariaDB. Bodies have 300 bytes and all differ. A sleep that a text
 * asks for is cut short by the end of the window.
 */
final class SourceSystems {

    private static final String BODY = "RPAD(CONCAT(n, '-', RAND()), 300, '.')";

    private static final String RING =
            "CREATE TABLE source_ring (slot BIGINT NOT NULL PRIMARY KEY, message_id BIGINT,"
                    + " at DATETIME(6) NOT NULL, message CHAR(255) NOT NULL,"
                    + " more CHAR(45) NOT NULL, reference_count TINYINT NOT NULL)"
                    + " ENGINE = InnoDB";

    private static final String SCATTER =
            "%s + 1000000000 * ELT(1 + %s %% 10, 0, 5, 1, 8, 2, 7, 3, 6, 4, 9)";

    private static final String NEXT = "    SET n = NEXT VALUE FOR source_%s_sequence;\n";

    /** An AUTO_INCREMENT that is rolled back, as near as InnoDB has Adkin's counter. */
    private static final String COUNTER =
            "    START TRANSACTION;\n"
                    + "    INSERT INTO source_%s_counter VALUES (NULL);\n"
                    + "    SET n = LAST_INSERT_ID();\n"
                    + "    ROLLBACK;\n";

    private SourceSystems() {}

    static List<SourceSystem> all(long slots) {
        return List.of(
                naive(),
                lmax("lmax", NEXT, "n % slots", slots, false),
                cycle(slots),
                addendum(slots),
                lmax(
                        "lmax-scattered",
                        NEXT,
                        SCATTER.formatted("(n % slots)", "(n % slots)"),
                        slots,
                        true),
                lmax("lmax-counter", COUNTER, "n % slots", slots, false),
                randomLane("random-lane", "lane = FLOOR(RAND() * 1000)", true),
                randomLane("random-lane-at-least", "lane >= FLOOR(RAND() * 1000)", true),
                randomLane("random-lane-no-index", "lane >= FLOOR(RAND() * 1000)", false));
    }

    private static SourceSystem naive() {
        return new SourceSystem(
                "naive",
                List.of(
                        "CREATE TABLE source_ring (message_id BIGINT NOT NULL PRIMARY KEY,"
                                + " at DATETIME(6), message VARCHAR(300)) ENGINE = InnoDB",
                        "CREATE SEQUENCE source_push_sequence CACHE 1000"),
                NEXT.formatted("push")
                        + "    INSERT INTO source_ring VALUES (n, NOW(6), "
                        + BODY
                        + ");\n"
                        + "    IF ROW_COUNT() = 1 THEN SET moved = moved + 1; END IF;\n",
                "    DELETE FROM source_ring ORDER BY message_id LIMIT 1;\n"
                        + counted("    DO SLEEP(0.001);\n"));
    }

    /** Kejser: slot by modulo; a pop matches the message's id and tries the same slot again. */
    private static SourceSystem lmax(
            String name, String next, String slot, long slots, boolean scattered) {
        String push =
                next.formatted("push")
                        + "    SET found = 0;\n"
                        + "    WHILE found = 0 AND UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                        + "      "
                        + update("message_id = n", 1, slot, "reference_count = 0")
                        + "      SET found = ROW_COUNT();\n"
                        + "      IF found = 0 THEN DO SLEEP(0.1); END IF;\n"
                        + "    END WHILE;\n"
                        + "    SET moved = moved + found;\n";
        String pop =
                next.formatted("pop")
                        + "    SET found = 0;\n"
                        + "    WHILE found = 0 AND UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                        + "      "
                        + take(slot, "message_id = n")
                        + "      SET found = ROW_COUNT();\n"
                        + "      IF found = 0 THEN DO SLEEP(LEAST(1, GREATEST(0,"
                        + " until_time - UNIX_TIMESTAMP(SYSDATE(6))))); END IF;\n"
                        + "    END WHILE;\n"
                        + "    SET moved = moved + found;\n";
        return new SourceSystem(name, ring(slots, scattered, ""), push, pop);
    }

    /** Adkin: cycling sequences; a pop matches the reference count and goes on to the next slot. */
    private static SourceSystem cycle(long slots) {
        return new SourceSystem(
                "lmax-cycle",
                ring(slots, false, " MAXVALUE " + slots + " CYCLE"),
                NEXT.formatted("push")
                        + "    "
                        + update("message_id = n", 1, "n - 1", "reference_count = 0")
                        + counted("    DO SLEEP(0.001);\n"),
                NEXT.formatted("pop")
                        + "    "
                        + take("n - 1", "reference_count > 0")
                        + counted("    DO SLEEP(0.001);\n"));
    }

    /** Adkin's production pop: the sequence moves on only if there was a message. */
    private static SourceSystem addendum(long slots) {
        List<String> tables = new ArrayList<>(ring(slots, false, ""));
        tables.add("CREATE TABLE source_place (id INT PRIMARY KEY, n BIGINT) ENGINE = InnoDB");
        tables.add("INSERT INTO source_place VALUES (1, 1)");
        return new SourceSystem(
                "lmax-addendum",
                tables,
                NEXT.formatted("push")
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

    /** The MongoDB text: a random lane first, so that those who pop do not meet. */
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

    private static List<String> ring(long slots, boolean scattered, String sequence) {
        String key = scattered ? SCATTER.formatted("seq", "seq") : "seq";
        return List.of(
                RING,
                "INSERT INTO source_ring SELECT "
                        + key
                        + ", NULL, '2050-01-01', RPAD('dummy', 255, '.'), RPAD('', 45, '.'), 0"
                        + " FROM seq_0_to_"
                        + (slots - 1),
                "CREATE SEQUENCE source_push_sequence" + sequence + " CACHE 1000",
                "CREATE SEQUENCE source_pop_sequence" + sequence + " CACHE 1000",
                "CREATE TABLE source_push_counter (n BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY)"
                        + " ENGINE = InnoDB",
                "CREATE TABLE source_pop_counter LIKE source_push_counter");
    }
}
