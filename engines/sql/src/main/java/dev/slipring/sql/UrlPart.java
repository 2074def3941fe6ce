// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** A part of a store's URL: a user, a password, a database or the value of an option. */
public final class UrlPart {

    private UrlPart() {}

    /**
     * What a part stands for. In a URL of a server a plus is a plus, and not a space as in forms.
     *
     * @param where what the part is of, for the error
     * @throws IllegalArgumentException if it has a percent sign without two digits
     */
    public static String decoded(String text, String where) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    where
                            + " has a '%' that is not followed by two hexadecimal digits; write %25"
                            + " for the character itself");
        }
    }
}
