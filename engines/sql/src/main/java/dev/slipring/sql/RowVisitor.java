// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Takes rows one by one. */
public interface RowVisitor {

    /** Takes the row on which the result stands; false if that was enough. */
    boolean visit(ResultSet row) throws SQLException;
}
