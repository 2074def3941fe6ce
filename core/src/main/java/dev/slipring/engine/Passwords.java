// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/** What may be a password is not shown. */
public final class Passwords {

    private static final String MASK = "***";

    private Passwords() {}

    /** A text with the passwords of the URLs in it masked, for people and logs. */
    public static String masked(String text) {
        // 'user:password@' is how URLs are explained, and stays.
        return text.replaceAll("//([^/@:\\s]*):(?!(?i:password)@)[^\\s'\"]*@", "//$1:" + MASK + "@")
                .replaceAll(
                        "(?i)((?:password|pwd)\\s*=\\s*)(?:\\{[^}]*}|[^&;\\s'\"]*)", "$1" + MASK);
    }

    /** A URL that no engine knows, mistyped perhaps: all that may be a password is masked. */
    static String withoutCredentials(String url) {
        String text = url.replaceAll("(?i)((?:password|pwd)\\s*=)[^&;]*", "$1" + MASK);
        int colon = text.indexOf(':');
        int at = text.lastIndexOf('@');
        return 0 <= colon && colon < at
                ? text.substring(0, colon + 1) + MASK + text.substring(at)
                : text;
    }
}
