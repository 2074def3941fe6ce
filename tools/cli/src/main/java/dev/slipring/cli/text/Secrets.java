// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

/** Takes passwords out of what is shown. */
public final class Secrets {

    private Secrets() {}

    /**
     * The text with the passwords of the URLs in it masked, whatever characters they are made of.
     */
    public static String mask(String text) {
        return text.replaceAll("//([^/@:\\s]*):[^\\s'\"]*@", "//$1:***@")
                .replaceAll("(?i)((?:password|pwd)\\s*=\\s*)[^&;\\s'\"]*", "$1***");
    }
}
