// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The answer of a procedure: one text whose fields are separated by spaces. They are read one after
 * the other, in the order that the comment above the procedure lists them. The last fields may be
 * missing.
 */
final class Reply {

    private final String all;
    private final Iterator<String> fields;

    /** Reads the only column of a row. */
    Reply(ResultSet row) throws SQLException {
        all = row.getString(1);
        fields = Arrays.asList(all.split(" ")).iterator();
    }

    boolean hasNext() {
        return fields.hasNext();
    }

    /** The next field as it is. */
    String text() {
        if (!fields.hasNext()) {
            throw new StoreFailed(
                    "a procedure of Slipring answered '"
                            + all
                            + "', which is too short: it is of another version");
        }
        return fields.next();
    }

    int number() {
        return Integer.parseInt(text());
    }

    long large() {
        return Long.parseLong(text());
    }
}
