// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of a row. */
public interface RowReader<T> {

    /** The value of the row on which the result stands. */
    T read(ResultSet row) throws SQLException;
}
