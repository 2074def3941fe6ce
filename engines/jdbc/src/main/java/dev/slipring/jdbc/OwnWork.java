// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.List;

/**
 * A transaction of ours, on a session of ours. It begins with the first statement that needs it.
 */
final class OwnWork extends Work implements AutoCloseable {

    private final Sessions sessions;
    private Session session;
    private boolean begun;
    private boolean reading;
    private boolean committing;
    private boolean over;

    /** What a connection of the user's had before this work set it; null if it did not. */
    private Long kept;

    OwnWork(Dialect dialect, Sessions sessions) {
        super(dialect);
        this.sessions = sessions;
    }

    private Session session() {
        if (session == null) {
            session = sessions.take();
        }
        return session;
    }

    /** Takes a session, which tells whether one was lost. */
    void open() {
        session();
    }

    /** Begins to read one consistent state. */
    void beginReading() {
        reading = true;
        begun = true;
        Script script = new Script();
        askGuest(script);
        dialect().beginReading().forEach(script::run);
        session().run(script);
    }

    /** Whether the commit was sent, so that its outcome may be unknown. */
    boolean isCommitting() {
        return committing;
    }

    @Override
    void run(Script script) {
        session().run(begun ? script : inTransaction(script));
        begun = true;
    }

    private Script inTransaction(Script script) {
        Script whole = new Script();
        List<String> begin = dialect().begin();
        if (!sessions.areOurs()) {
            begin = dialect().guest().begin();
            askGuest(whole);
        }
        begin.forEach(whole::run);
        begun = true;
        return whole.add(script);
    }

    @Override
    void look(Script script) {
        session().run(script);
    }

    @Override
    int piece() {
        return Contents.piece(session().packet());
    }

    @Override
    boolean isJoined() {
        return false;
    }

    @Override
    boolean isReading() {
        return reading;
    }

    /** Runs the last script and commits with it. */
    void commit(Script changes) {
        if (begun || !changes.steps().isEmpty()) {
            if (!begun && !sessions.areOurs() && dialect().guest().keeps().isPresent()) {
                // The setting to give back at the end has to be known before the last script is
                // written.
                run(new Script());
            }
            Script last = begun ? changes : inTransaction(changes);
            last.run(dialect().commit());
            endAsGuest(last);
            committing = !reading;
            session().run(last);
            committing = false;
        }
        over = true;
    }

    /** Asks what is to be given back at the end. */
    private void askGuest(Script begin) {
        if (!sessions.areOurs()) {
            dialect()
                    .guest()
                    .keeps()
                    .ifPresent(query -> begin.read(query, row -> kept = row.getLong(1)));
        }
    }

    private void endAsGuest(Script end) {
        if (!sessions.areOurs()) {
            dialect().guest().end(session().connection(), kept).forEach(end::run);
        }
    }

    /** Runs one statement that is a whole transaction. */
    void call(Script statement) {
        session();
        committing = true;
        callAgain(statement);
        committing = false;
    }

    /**
     * Runs one statement that is a whole transaction, and does no harm if it is run again: its
     * outcome is not asked for.
     */
    void callAgain(Script statement) {
        Session open = session();
        // A statement that somebody stops ends without its handlers, and leaves its transaction
        // open.
        begun = true;
        open.run(statement);
        over = true;
    }

    @Override
    public void close() {
        if (session == null) {
            return;
        }
        boolean clean = over || !begun;
        if (!clean && !session.isLost()) {
            // Somebody may stop a statement once, and not mean this one.
            clean = rollback() || !session.isLost() && rollback();
            if (!clean) {
                session.abandon();
            }
        }
        sessions.give(session, clean);
    }

    private boolean rollback() {
        try {
            Script end = new Script().run(dialect().rollback());
            endAsGuest(end);
            session.run(end);
            return true;
        } catch (SqlFailed e) {
            // The server rolls back what the connection leaves behind. A transaction that is
            // somebody else's is left to him, with his connection.
            return dialect().trouble().isDistributed(e);
        }
    }
}
