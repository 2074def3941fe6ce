// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreUnreachable;

/** Another transaction kept the file for longer than somebody waited. Nothing has happened. */
final class FileLocked extends StoreUnreachable {

    private static final long serialVersionUID = 1L;

    FileLocked(String message, Throwable cause) {
        super(message, cause);
    }
}
