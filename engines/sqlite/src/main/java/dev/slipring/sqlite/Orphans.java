// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of rings, lanes and stages that do not exist, rows that lack a value, and bodies without a
 * slot, as a check reports them.
 */
final class Orphans {

    private static final String OF_NO_STAGE =
            "SELECT DISTINCT '{table} has rows of ring ' || x.ring || ', stage ''' || x.stage"
                    + " || ''', which is not there' FROM {table} AS x WHERE x.stage <> '' AND NOT"
                    + " EXISTS (SELECT 1 FROM slipring_stage AS s WHERE s.ring = x.ring AND s.name"
                    + " = x.stage)";

    private static final String OF_NO_RING =
            "SELECT DISTINCT '{table} has rows of ring ' || x.ring || ', which is not there' FROM"
                    + " {table} AS x WHERE x.ring NOT IN (SELECT id FROM slipring_ring)";

    private static final String OF_NO_SLOT =
            "SELECT 'slipring_cell has ' || count(*) || ' bodies that are of no slot' FROM"
                    + " slipring_cell WHERE id NOT IN (SELECT cell FROM slipring_slot)"
                    + " HAVING count(*) > 0";

    private static final String OF_NO_LANE =
            "SELECT DISTINCT '{table} has rows of ring ' || x.ring || ', lane ' || x.lane"
                    + " || ', which is not there' FROM {table} AS x JOIN slipring_ring AS r"
                    + " ON r.id = x.ring WHERE x.lane NOT BETWEEN 0 AND r.lanes - 1";

    private static final String ON_NO_SHELF =
            "SELECT 'slipring_slot has ' || count(*) || ' slots of no ring or lane' FROM"
                    + " slipring_slot AS s WHERE NOT EXISTS (SELECT 1 FROM slipring_ring AS r"
                    + " WHERE s.id >> 48 BETWEEN r.shelf AND r.shelf + r.lanes - 1)"
                    + " HAVING count(*) > 0";

    /** A row with an epoch that its kind cannot have, or without a value that its kind has. */
    private static final String OF_NO_KIND =
            "SELECT 'slipring_sequence has a row of ring ' || ring || ', stage ''' || stage ||"
                    + " ''', lane ' || lane || ', epoch ' || epoch || ' that lacks a value, or"
                    + " whose epoch cannot be' FROM slipring_sequence WHERE CASE"
                    + " WHEN stage = '' THEN epoch <> 0 OR head + gate + bytes IS NULL"
                    + " WHEN epoch = 0 THEN start + claimed + done + high + last_epoch + waiting"
                    + " + dead + dropped + kept_bytes + redelivered + failed IS NULL"
                    + " ELSE epoch < 0 OR first_position + end_position + attempt + expires IS NULL"
                    + " OR worker IS NULL END";

    private Orphans() {}

    /** What there is of them, in words. */
    static List<String> findings(Statements statements) {
        List<String> findings = new ArrayList<>();
        for (String table : List.of("slipring_sequence", "slipring_aside")) {
            findings.addAll(list(statements, OF_NO_STAGE.replace("{table}", table)));
            findings.addAll(list(statements, OF_NO_LANE.replace("{table}", table)));
        }
        for (String table : List.of("slipring_stage", "slipring_sequence", "slipring_producer")) {
            findings.addAll(list(statements, OF_NO_RING.replace("{table}", table)));
        }
        findings.addAll(list(statements, OF_NO_KIND));
        findings.addAll(list(statements, ON_NO_SHELF));
        findings.addAll(list(statements, OF_NO_SLOT));
        return findings;
    }

    private static List<String> list(Statements statements, String sql) {
        return statements.list(sql, row -> row.getString(1));
    }
}
