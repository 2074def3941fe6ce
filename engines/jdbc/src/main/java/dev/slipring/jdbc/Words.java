// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Iterator;

/**
 * What a procedure answers: one text, words between spaces, to be taken in the order in which the
 * procedure's own comment names them. Its end may be left out.
 */
final class Words {

    private final String all;
    private final Iterator<String> words;

    /** The words of a row that has nothing else. */
    Words(ResultSet row) throws SQLException {
        all = row.getString(1);
        words = Arrays.asList(all.split(" ")).iterator();
    }

    boolean hasNext() {
        return words.hasNext();
    }

    /** The next word as it is. */
    String text() {
        if (!words.hasNext()) {
            throw new StoreFailed(
                    "a procedure of Slipring answered '"
                            + all
                            + "', which is too short: it is of another version");
        }
        return words.next();
    }

    int number() {
        return Integer.parseInt(text());
    }

    long large() {
        return Long.parseLong(text());
    }
}
