// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of rings and stages that do not exist, and bodies without a slot, as a check reports them.
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

    private Orphans() {}

    /** What there is of them, in words. */
    static List<String> findings(Statements statements) {
        List<String> findings = new ArrayList<>();
        for (String table : List.of("slipring_sequence", "slipring_aside")) {
            findings.addAll(list(statements, OF_NO_STAGE.replace("{table}", table)));
        }
        for (String table : List.of("slipring_stage", "slipring_sequence", "slipring_producer")) {
            findings.addAll(list(statements, OF_NO_RING.replace("{table}", table)));
        }
        findings.addAll(list(statements, OF_NO_SLOT));
        return findings;
    }

    private static List<String> list(Statements statements, String sql) {
        return statements.list(sql, row -> row.getString(1));
    }
}
