// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements that are sent together, in order; the first that fails ends it. */
final class Script {

    private final List<Step> steps = new ArrayList<>();

    /** Looks at one row of a result. */
    interface OnRow {
        void see(ResultSet row) throws SQLException;
    }

    /**
     * A statement.
     *
     * @param sql the statement
     * @param values what is bound to it
     * @param onRow looks at each row; null if the statement returns none
     */
    record Step(String sql, Object[] values, OnRow onRow) {

        /** About how many bytes it has on its way, at most. */
        long size() {
            long size = sql.length() + 24L * values.length;
            for (Object value : values) {
                if (value instanceof byte[] bytes) {
                    size += 2L * bytes.length;
                } else if (value instanceof String text) {
                    size += 4L * text.length();
                }
            }
            return size;
        }
    }

    /** Adds a statement that returns no rows. */
    Script run(String sql, Object... values) {
        steps.add(new Step(sql, values, null));
        return this;
    }

    /** Adds a query. */
    Script read(String sql, OnRow onRow, Object... values) {
        steps.add(new Step(sql, values, onRow));
        return this;
    }

    /** Adds what another script has. */
    Script add(Script more) {
        steps.addAll(more.steps);
        return this;
    }

    List<Step> steps() {
        return steps;
    }
}
