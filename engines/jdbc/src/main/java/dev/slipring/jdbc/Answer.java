// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.sql.RowReader;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What a question of one row comes to, once the script in which it is asked has run. Of several
 * rows the last counts.
 *
 * @param <T> what a row says
 */
final class Answer<T> implements Script.RowVisitor {

    private final RowReader<T> reader;
    private T value;

    /**
     * A question that is not asked yet.
     *
     * @param without what it comes to where there is no row
     */
    Answer(T without, RowReader<T> reader) {
        this.reader = reader;
        value = without;
    }

    @Override
    public void visit(ResultSet row) throws SQLException {
        value = reader.read(row);
    }

    T value() {
        return value;
    }
}
