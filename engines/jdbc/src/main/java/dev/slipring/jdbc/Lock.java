// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** How a query locks the rows that it reads. */
enum Lock {
    /** Not at all. */
    NONE,
    /**
     * Not at all, but as they are now: as committed, or as the transaction itself has left them,
     * whatever its isolation level. Also keeps nobody from the gaps beside them.
     */
    CURRENT,
    /** Against changes, to the end of the transaction. */
    SHARE,
    /** For ourselves, to the end of the transaction. */
    UPDATE,
    /** The same, leaving out rows that somebody else has. */
    SKIP
}
