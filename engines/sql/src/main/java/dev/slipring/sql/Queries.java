// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The statements of a connection, as the tables of the ledger use them. One thread at a time. */
public abstract class Queries {

    /** Statements of a connection. */
    protected Queries() {}

    /** Changes rows; returns how many. */
    public abstract int update(String sql, Object... values);

    /** Shows the rows found to a visitor until it has enough. */
    public abstract void each(String sql, RowVisitor visitor, Object... values);

    /** The rows found; the list may be changed. */
    public final <T> List<T> list(String sql, RowReader<T> reader, Object... values) {
        List<T> found = new ArrayList<>();
        each(sql, row -> found.add(reader.read(row)), values);
        return found;
    }

    /** The first row found; null if there is none. */
    public final <T> T first(String sql, RowReader<T> reader, Object... values) {
        List<T> found = new ArrayList<>(1);
        each(
                sql,
                row -> {
                    found.add(reader.read(row));
                    return false;
                },
                values);
        return found.isEmpty() ? null : found.get(0);
    }

    /** The number found; empty if there is no row, or no number in it. */
    public final OptionalLong number(String sql, Object... values) {
        Long found =
                first(
                        sql,
                        row -> {
                            long number = row.getLong(1);
                            return row.wasNull() ? null : number;
                        },
                        values);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }
}
