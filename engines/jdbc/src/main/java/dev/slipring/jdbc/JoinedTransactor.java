// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Transactor;
import dev.slipring.sql.CallersConnection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Runs work in a transaction of the caller, whatever its isolation level: what must not change it
 * locks, and what has to be the committed state it reads on a session of ours.
 */
final class JoinedTransactor implements Transactor<Rows> {

    private static final int MOST_TRIES = 20;

    private final Connection connection;
    private final JdbcTransactor own;

    JoinedTransactor(Connection connection, JdbcTransactor own) {
        this.connection = connection;
        this.own = own;
    }

    /** Checks that there is a transaction to take part in. */
    void check() {
        try {
            CallersConnection.requireProduct(
                    connection, own.dialect().products(), "on " + own.server());
            CallersConnection.requireTransaction(connection);
        } catch (SQLException e) {
            throw own.dialect().trouble().inJoined(failed(e), own.server());
        }
    }

    /**
     * Refuses options of the connection's driver with which the store cannot work. They do not
     * change, so they are looked at once.
     */
    void checkOptions() {
        String wrong = own.dialect().guest().wrongOption(connection).orElse(null);
        if (wrong != null) {
            throw OneDatabase.refusal(wrong);
        }
    }

    @Override
    public <T> T write(boolean durable, Function<Rows, T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (Stale moved) {
                own.memo().shapes().clear();
                if (attempt == MOST_TRIES) {
                    throw new StoreFailed("the ring changes all the time; try again", moved);
                }
            } catch (SqlFailed failed) {
                throw own.dialect().trouble().inJoined(failed, own.server());
            } catch (SQLException e) {
                throw own.dialect().trouble().inJoined(failed(e), own.server());
            }
        }
    }

    private SqlFailed failed(SQLException error) {
        return new SqlFailed(error, Session.isClosed(connection));
    }

    private <T> T once(Function<Rows, T> work) throws SQLException {
        check();
        Session session = own.dialect().guest().callersSession(connection);
        ReturnPoint point = own.dialect().guest().returnPoint(connection);
        boolean done = false;
        try {
            JdbcRows rows = new JdbcRows(new JoinedWork(session), own.memo());
            T result = rows.verified(work);
            session.run(rows.changes());
            done = true;
            return result;
        } finally {
            if (!done) {
                takeBack(point);
            }
        }
    }

    private static void takeBack(ReturnPoint point) {
        try {
            point.rollBack();
        } catch (SQLException e) {
            // The server has rolled back the whole transaction; the first error says why.
        }
    }

    @Override
    public <T> T read(Function<Rows, T> work) {
        return own.read(work);
    }

    /** The caller's transaction, with a look beside it. */
    private final class JoinedWork extends Work {

        private final Session session;

        JoinedWork(Session session) {
            super(own.dialect());
            this.session = session;
        }

        @Override
        void run(Script script) {
            session.run(script);
        }

        @Override
        void look(Script script) {
            own.ask(script);
        }

        @Override
        int piece() {
            long ours = own.sessions().packet();
            return Contents.piece(Math.min(ours, Opener.mostSent(own.dialect(), connection)));
        }

        @Override
        boolean isJoined() {
            return true;
        }

        @Override
        boolean mayLeaveOut() {
            return own.dialect().guest().mayLeaveOut(connection);
        }
    }
}
