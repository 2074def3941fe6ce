// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.engine.Passwords;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** A part of a store's URL: a user, a password, a database or the value of an option. */
public final class UrlPart {

    private static final int MOST_PORT = 65_535;

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

    /**
     * Refuses what is no port behind a host.
     *
     * @throws IllegalArgumentException if so; it does not quote it, as it may be a password whose
     *     host was forgotten
     */
    public static void checkPort(String host) {
        int colon = host.indexOf(':', host.lastIndexOf(']') + 1);
        String port = colon < 0 ? "1" : host.substring(colon + 1);
        if (!port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > MOST_PORT) {
            throw new IllegalArgumentException(
                    "what stands behind the host in the URL is no port; use 1 to 65535");
        }
    }

    /**
     * Refuses options that a driver does not know: it would ignore a misspelt one, even if that was
     * to make the connection safe.
     *
     * @param url the URL, in which what may be a part of a password is not quoted
     * @param unknown their names; perhaps none
     * @param known whose options there are
     * @throws IllegalArgumentException if there are any
     */
    public static void checkUnknown(String url, Collection<String> unknown, String known) {
        if (!unknown.isEmpty()) {
            String shown = Passwords.maskedUrl(url);
            boolean isShown = unknown.stream().allMatch(shown::contains);
            throw new IllegalArgumentException(
                    isShown
                            ? "the driver has no option '"
                                    + String.join("', '", unknown)
                                    + "'; its options are those of "
                                    + known
                            : "the driver has no option of a name that stands behind a password in"
                                    + " the URL; in a password write %26 for '&' and %3F for '?'");
        }
    }
}
