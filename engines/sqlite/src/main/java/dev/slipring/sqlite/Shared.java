// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.time.InstantSource;

/**
 * What all who work on the file of a store have in common.
 *
 * @param file the file, as long as it is open
 * @param options what the URL says
 * @param clock the clock of leases and retries
 * @param caches what is remembered of the file
 * @param trouble what its errors mean
 */
record Shared(
        OpenFile file,
        SqliteUrl.Options options,
        InstantSource clock,
        Caches caches,
        Trouble trouble) {

    /**
     * The rows as a connection reads and writes them.
     *
     * @param witness hears of the bodies that are read
     */
    SqliteRows rows(Statements statements, Cells.Witness witness) {
        return new SqliteRows(statements, clock, caches, witness);
    }
}
