// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

/** What is behind an error at last. */
public final class RootCause {

    private RootCause() {}

    /** The last of the causes of an error; the error itself if it has none. */
    public static Throwable of(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
