// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

/** Rows of slipring_sequence that are read together, and written when they were changed. */
interface KnownRows {

    /** How many there are. */
    int size();

    /** Writes what was changed. */
    void write(Statements statements);
}
