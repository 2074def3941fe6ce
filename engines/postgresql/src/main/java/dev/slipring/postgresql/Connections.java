// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Log;
import dev.slipring.engine.Uninterrupted;
import dev.slipring.sql.Lender;
import dev.slipring.sql.Lent;
import dev.slipring.sql.Precondition;
import dev.slipring.sql.Product;

import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

/** The connections of a store, made when they are wanted and kept for the next. */
final class Connections implements AutoCloseable {

    private static final int MOST_AGAIN = 5;

    /**
     * Put after a BEGIN: otherwise the session's settings say what a name means, and it may mean
     * something that others have made. Statements outside of a transaction name the schema of all
     * that they call.
     */
    private static final String NAMES = "; SET LOCAL search_path = pg_catalog, pg_temp";

    /** What the driver calls the product. */
    static final Set<String> PRODUCTS = Set.of("PostgreSQL");

    /** Begins a transaction in which each statement sees what is committed when it begins. */
    static final String READ_COMMITTED = "BEGIN ISOLATION LEVEL READ COMMITTED";

    private final DataSource source;
    private final OwnPool pool;
    private final Trouble trouble;
    private final Uninterrupted calls = new Uninterrupted();
    private final Precondition<Statements> precondition = new Precondition<>();
    private volatile boolean explicit;
    private volatile boolean closed;

    /**
     * Connections of a source; a pool is put in front if it is none. Then it connects once, so that
     * a wrong password or address is told at once. Later on a server may be away for a while.
     */
    Connections(DataSource source, boolean pooled, Trouble trouble) {
        this.trouble = trouble;
        pool = pooled ? null : new OwnPool(source, trouble);
        this.source = pooled ? source : pool.source();
    }

    Trouble trouble() {
        return trouble;
    }

    /** Refuses a data source of another product. */
    void requireProduct() {
        calls.call(
                () -> {
                    requireProductNow();
                    return null;
                });
    }

    private void requireProductNow() {
        Connection connection = take();
        try {
            Product.require(connection, PRODUCTS);
        } catch (SQLException e) {
            throw trouble.explain(new SqlFailed(e));
        } finally {
            giveBack(connection);
        }
    }

    /** Learns the isolation level of a statement outside of a transaction. */
    void learnIsolation() {
        explicit =
                alone(
                        statements ->
                                !statements
                                        .first(
                                                "SELECT pg_catalog.current_setting("
                                                        + "'transaction_isolation')",
                                                row -> row.getString(1))
                                        .equals("read committed"));
    }

    /** Has this hold before work of any kind. */
    void require(Consumer<Statements> refusal) {
        precondition.set(refusal);
    }

    /** Checks it, unless it was seen to hold, before work on a connection of others. */
    void requirePrecondition() {
        if (!precondition.isMet()) {
            alone(statements -> null);
        }
    }

    /** Runs work as one statement that commits by itself. */
    <T> T alone(Function<Statements, T> work) {
        return run(statements -> checked(statements, work), trouble::atCommit);
    }

    private <T> T checked(Statements statements, Function<Statements, T> work) {
        precondition.require(statements);
        return work.apply(statements);
    }

    /** Looks at something, whatever has to hold before work. */
    <T> T look(Function<Statements, T> work) {
        return run(work, trouble::explain);
    }

    private <T> T run(Function<Statements, T> work, Function<SqlFailed, RuntimeException> meaning) {
        int again = 0;
        while (true) {
            try {
                return calls.call(() -> once(work));
            } catch (SqlFailed e) {
                // To drop a ring may deadlock with those who use it, or take away a table that they
                // wait for; nothing of their work has happened. The next try finds no ring.
                boolean met = e.isDeadlock() || e.isOfDropped();
                if (!met || again++ == MOST_AGAIN) {
                    throw meaning.apply(e);
                }
            }
        }
    }

    private <T> T once(Function<Statements, T> work) {
        Lent lent = connect();
        Statements statements = new Statements(lent.connection());
        try {
            return work.apply(statements);
        } catch (Error broken) {
            statements.abandon();
            throw broken;
        } finally {
            giveBack(lent);
        }
    }

    private static void giveBack(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception e) {
            // What was done on it is done, or was told.
            Log.write(Level.DEBUG, "a connection was not given back", e);
        }
    }

    /** Runs work as one statement that commits by itself, at READ COMMITTED. */
    <T> T call(Function<Statements, T> work) {
        if (!explicit) {
            try {
                return alone(work);
            } catch (WrongIsolation e) {
                explicit = true;
            }
        }
        return inTransaction(READ_COMMITTED, work);
    }

    /** Runs work in a transaction that begins as told. */
    <T> T inTransaction(String begin, Function<Statements, T> work) {
        return alone(statements -> inTransaction(statements, begin, work));
    }

    /** The same for work that only reads: no outcome is unknown when the connection breaks. */
    <T> T reading(String begin, Function<Statements, T> work) {
        return run(
                statements -> checked(statements, own -> inTransaction(own, begin, work)),
                trouble::explain);
    }

    private static <T> T inTransaction(
            Statements statements, String begin, Function<Statements, T> work) {
        boolean done = false;
        try {
            // What fails behind the BEGIN leaves a transaction, too.
            statements.run(begin + NAMES);
            T result = work.apply(statements);
            statements.run("COMMIT");
            done = true;
            return result;
        } catch (Error broken) {
            // As where memory runs out. The driver may have left off in the midst of an answer, and
            // take the rest of it for that of the next statement.
            statements.abandon();
            throw broken;
        } finally {
            // Somebody may cancel a statement once, and not mean this one.
            if (!done && !rollsBack(statements) && !rollsBack(statements)) {
                statements.abandon();
            }
        }
    }

    private static boolean rollsBack(Statements statements) {
        try {
            statements.run("ROLLBACK");
            return true;
        } catch (SqlFailed e) {
            // The first error says why.
            return false;
        }
    }

    /** A connection in auto-commit mode; whoever takes it closes it. */
    Lent connect() {
        try {
            return Lent.of(take(), Connections::isOpen, Connections::isDistributed);
        } catch (SQLException e) {
            throw trouble.explain(new SqlFailed(e));
        } catch (SqlFailed e) {
            // It was only looked at: whatever broke, nothing is unknown.
            throw trouble.explain(e);
        }
    }

    /**
     * Whether it has a transaction in which something was written, or rows locked. One that has
     * only read may be what a pool left that looked whether the connection works.
     */
    private static boolean isOpen(Connection connection) throws SQLException {
        // The driver knows when nothing at all is open; not every pool lets it be asked.
        if (connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState()
                        == TransactionState.IDLE) {
            return false;
        }
        return new Statements(connection)
                .first(
                        "SELECT pg_catalog.pg_current_xact_id_if_assigned() IS NOT NULL",
                        row -> row.getBoolean(1));
    }

    /**
     * Whether it has a transaction in auto-commit mode, as the driver's XA leaves one. Not every
     * pool lets the driver be asked; the server would have to be asked each time.
     */
    private static boolean isDistributed(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState()
                        != TransactionState.IDLE;
    }

    private Connection take() {
        if (closed) {
            throw new StoreFailed("the store is closed");
        }
        try {
            return Lender.lend(source::getConnection);
        } catch (SQLException e) {
            SQLException cause = e.getCause() instanceof SQLException why ? why : e;
            throw trouble.explain(new SqlFailed(cause));
        }
    }

    @Override
    public void close() {
        closed = true;
        calls.close();
        if (pool != null) {
            pool.close();
        }
    }
}
