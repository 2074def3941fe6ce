// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.sql.RowReader;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The answer to a query of one row, there once the script with the query has run. Of several rows
 * the last counts.
 *
 * @param <T> the type of the answer
 */
final class Answer<T> implements Script.OnRow {

    private final RowReader<T> reader;
    private T value;

    /**
     * An answer to a query that has not run yet.
     *
     * @param without the answer if there is no row
     */
    Answer(T without, RowReader<T> reader) {
        this.reader = reader;
        value = without;
    }

    @Override
    public void see(ResultSet row) throws SQLException {
        value = reader.read(row);
    }

    T value() {
        return value;
    }
}
