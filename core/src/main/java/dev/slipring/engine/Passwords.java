// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/** Masks passwords in URLs and other texts. */
public final class Passwords {

    private static final String MASK = "***";

    /** The name of an option whose value is not for others, and what stands behind it. */
    private static final String OPTION = "(?i)((?:password|pwd|secret|token)\\w*+\\s*+=\\s*)";

    /**
     * Its value: in braces, where two of them are one of the value; to the end of the text where
     * the last is missing; or without. Long ones must not go deep into the matcher.
     */
    private static final String VALUE =
            "(?:\\{[^}]*+(?:}}[^}]*+)*+}|\\{[^}]*+}}(?s:.*)|[^&;\\s'\"]*)";

    private Passwords() {}

    /** A text with the passwords of the URLs in it masked, for people and logs. */
    public static String masked(String text) {
        // 'user:password@' is how URLs are explained, and stays.
        return text.replaceAll("//([^/@:\\s]*):(?!(?i:password)@)[^\\s'\"]*@", "//$1:" + MASK + "@")
                .replaceAll(OPTION + VALUE, "$1" + MASK);
    }

    /** A URL with the passwords in it masked, whatever characters they have. */
    public static String maskedUrl(String url) {
        int host = url.indexOf("//") + 2;
        int options = url.indexOf('?');
        int at = url.lastIndexOf('@', options < 0 ? url.length() : options);
        int end = at < host ? url.lastIndexOf('@') : at;
        int colon = url.indexOf(':', host);
        boolean has = host >= 2 && host <= colon && colon < end;
        return masked(has ? url.substring(0, colon + 1) + MASK + url.substring(end) : url);
    }

    /** A URL that no engine knows, mistyped perhaps: all that may be a password is masked. */
    static String withoutCredentials(String url) {
        String text = url.replaceAll(OPTION + "[^&;]*", "$1" + MASK);
        int colon = text.indexOf(':');
        int at = text.lastIndexOf('@');
        return 0 <= colon && colon < at
                ? text.substring(0, colon + 1) + MASK + text.substring(at)
                : text;
    }
}
