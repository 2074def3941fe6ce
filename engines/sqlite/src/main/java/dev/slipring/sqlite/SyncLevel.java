// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

/**
 * Whether a commit waits for the disk. Without waiting, commits are still in order: a loss of power
 * takes back the last ones only, and the next commit that waits brings those before it to the disk
 * too.
 */
final class SyncLevel {

    private final Statements statements;
    private final String durable;
    private String now = "";

    SyncLevel(Statements statements, boolean full) {
        this.statements = statements;
        durable = full ? "FULL" : "NORMAL";
    }

    /** Sets the level for the next transaction; it cannot be changed within one. */
    void set(boolean isDurable) {
        String wanted = isDurable ? durable : "NORMAL";
        if (!wanted.equals(now)) {
            now = "";
            statements.run("PRAGMA synchronous = " + wanted);
            now = wanted;
        }
    }
}
