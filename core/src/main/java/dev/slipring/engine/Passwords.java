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

    /**
     * A URL with the passwords in it masked, whatever characters they have. What stands behind a
     * password among the options goes with it, as nobody can tell where it was meant to end.
     */
    public static String maskedUrl(String url) {
        int slashes = url.indexOf("//");
        if (slashes < 0) {
            return url.matches("(?s)(jdbc:)?(sqlite|memory):.*")
                    ? withoutSecrets(url)
                    : withoutCredentials(url);
        }
        int host = slashes + 2;
        int options = firstOption(url, host);
        int at = url.lastIndexOf('@', options);
        int colon = url.indexOf(':', host);
        boolean hasSecret = !withoutSecrets(url).equals(url);
        if (hasSecret && at < host && url.indexOf('@', host) > 0) {
            // Either of them may be the end of a password.
            return withoutSecrets(url.substring(0, colon < 0 ? options : colon + 1) + MASK);
        }
        int end = at < host ? url.lastIndexOf('@') : at;
        boolean has = colon >= 0 && colon < end;
        return withoutSecrets(
                has ? url.substring(0, colon + 1) + MASK + url.substring(end) : url);
    }

    private static int firstOption(String url, int from) {
        for (int i = from; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == ';') {
                return i;
            }
        }
        return url.length();
    }

    /** A URL that no engine knows, mistyped perhaps: all that may be a password is masked. */
    static String withoutCredentials(String url) {
        String text = withoutSecrets(url);
        int colon = text.indexOf(':');
        int at = text.lastIndexOf('@');
        return 0 <= colon && colon < at
                ? text.substring(0, colon + 1) + MASK + text.substring(at)
                : text;
    }

    private static String withoutSecrets(String url) {
        return url.replaceFirst("(?s)" + OPTION + ".*", "$1" + MASK);
    }
}
