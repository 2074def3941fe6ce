// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the writer's connection sees of other connections: its {@code data_version} changes with
 * their commits, not with its own. Whoever wants to know asks; whoever has the connection looks.
 */
final class Neighbours {

    private final Statements statements;
    private final AtomicBoolean committed = new AtomicBoolean();
    private volatile boolean asked;
    private long version = -1;
    private boolean news;

    Neighbours(Statements statements) {
        this.statements = statements;
    }

    void ask() {
        asked = true;
    }

    /** Looks, if somebody asked. */
    void lookIfAsked() {
        if (asked) {
            asked = false;
            try {
                look();
            } catch (SqlFailed e) {
                // Whatever it is, the next transaction meets it and reports it.
                committed.set(true);
            }
        }
    }

    /** Looks. The first time there is nothing to compare with: it counts as a change. */
    private void look() {
        long now = statements.number("PRAGMA data_version").orElse(-1);
        if (now != version) {
            version = now;
            news = true;
            committed.set(true);
        }
    }

    /**
     * Whether somebody else committed since this was last asked, whoever looked meanwhile. For the
     * writer.
     */
    boolean hasNews() {
        look();
        boolean found = news;
        news = false;
        return found;
    }

    /** Whether somebody else committed since the last answer. Any thread. */
    boolean answer() {
        return committed.getAndSet(false);
    }
}
