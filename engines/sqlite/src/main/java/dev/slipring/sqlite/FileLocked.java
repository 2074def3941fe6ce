// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;

/** Another transaction kept the file for longer than somebody waited. Nothing has happened. */
final class FileLocked extends StoreFailed {

    private static final long serialVersionUID = 1L;

    FileLocked(String message, Throwable cause) {
        super(message, cause);
    }
}
