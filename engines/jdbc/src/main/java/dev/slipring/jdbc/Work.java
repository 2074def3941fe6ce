// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/**
 * A transaction under way, of ours or of a caller. Ours begins with the first statement that needs
 * it, and not with queries that only look around before.
 */
abstract class Work {

    private final Dialect dialect;

    Work(Dialect dialect) {
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }

    /** How many bytes of a body go into a row of their own. */
    abstract int piece();

    /** Runs a script inside the transaction. */
    abstract void run(Script script);

    /** Runs a script that reads what is committed, without locks, outside of a caller's view. */
    abstract void look(Script script);

    /**
     * Reads rows that a lock of this transaction guards, and that it may have changed. For a
     * caller's transaction they are read from outside of it, if a query inside would keep others
     * from the gaps beside all that it reads, or see an old state. Nobody else can have changed
     * these rows.
     */
    final void ask(Script script) {
        if (!isJoined()) {
            look(script);
        } else if (dialect.uncommitted().isPresent()) {
            Script beside = new Script();
            for (Script.Step step : script.steps()) {
                beside.run(dialect.uncommitted().get());
                beside.steps().add(step);
            }
            look(beside);
        } else {
            run(script);
        }
    }

    /** Whether it is a transaction of the caller, at an isolation level that we do not know. */
    abstract boolean isJoined();

    /** Whether a query in it may leave out the rows that others keep locked. */
    boolean mayLeaveOut() {
        return true;
    }

    /** Whether it only reads, on one consistent state. */
    boolean isReading() {
        return false;
    }

    /** How a query reads rows that a lock of this transaction guards already. */
    Lock guarded() {
        return isJoined() && dialect.uncommitted().isEmpty() ? Lock.CURRENT : Lock.NONE;
    }
}
