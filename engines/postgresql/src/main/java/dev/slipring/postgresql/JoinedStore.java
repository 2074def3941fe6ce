// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.DeadLetter;
import dev.slipring.NoSuchRing;
import dev.slipring.RingFull;
import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.Survey;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.graph.Shape;
import dev.slipring.sql.CallersConnection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A store whose push and settle stand in a transaction of the caller; closing it changes nothing.
 */
final class JoinedStore implements Store {

    private final PostgresStore store;
    private final KnownClaims knownClaims;
    private final Trouble trouble;
    private final Connection connection;
    private final OtherDatabase other;

    JoinedStore(
            PostgresStore store,
            KnownClaims knownClaims,
            Connections connections,
            Connection connection) {
        this.store = store;
        this.knownClaims = knownClaims;
        this.trouble = connections.trouble();
        this.connection = connection;
        this.other = new OtherDatabase(connections, connection);
    }

    @Override
    public void push(String ring, List<Slot> slots) {
        try {
            pushNow(ring, slots);
        } catch (RingFull full) {
            store.makeRoom(ring);
            pushOnceMore(ring, slots);
        }
    }

    private void pushOnceMore(String ring, List<Slot> slots) {
        try {
            pushNow(ring, slots);
        } catch (RingFull full) {
            // What rolled-back transactions left in this lane is taken back once this one has
            // ended.
            store.makeRoomLater(ring);
            throw full;
        }
    }

    private void pushNow(String ring, List<Slot> slots) {
        long id = store.id(ring);
        // No producer's number: nobody has to ask about the outcome, which is that of the
        // transaction.
        inKnownRing(ring, id, statements -> Calls.push(statements, ring, id, slots, null));
        store.pushedByCaller(ring, slots);
    }

    @Override
    public Settled settle(String ring, Settlement word) {
        KnownClaims.Known known = knownClaims.of(ring, word.ticket());
        long id = store.id(ring);
        return inKnownRing(
                ring,
                id,
                statements ->
                        Calls.settleJoined(
                                statements,
                                ring,
                                id,
                                word,
                                known,
                                () -> store.isInHand(ring, word.ticket())));
    }

    /** Does something to the ring that is known under its name, which may be gone. */
    private <T> T inKnownRing(String ring, long id, Function<Statements, T> work) {
        try {
            return run(work);
        } catch (SqlFailed failure) {
            throw explained(failure, ring, id);
        }
    }

    private RuntimeException explained(SqlFailed failure, String ring, long id) {
        RuntimeException meaning = trouble.explain(failure);
        if (meaning instanceof RingGone) {
            // This transaction is broken; the next one finds the ring of that name, if there is.
            store.forget(ring);
        }
        String words = other.words(failure, meaning.getMessage(), ring, id);
        if (words == null) {
            boolean dropped = meaning instanceof RingGone && failure.state().equals("42883");
            return dropped ? gone(ring) : meaning;
        }
        return meaning instanceof NoSuchRing
                ? new NoSuchRing(words)
                : new StoreFailed(words, failure.getCause());
    }

    /** The server knows the functions of a ring by a number, the caller knows it by its name. */
    private static NoSuchRing gone(String ring) {
        return new NoSuchRing(
                "ring '"
                        + ring
                        + "' was dropped since it was used here; if it was made anew, roll back and"
                        + " begin again");
    }

    private <T> T run(Function<Statements, T> work) {
        try {
            CallersConnection.requireProduct(connection, Connections.PRODUCTS, "in PostgreSQL");
            Statements statements = new Statements(connection);
            if (connection.getAutoCommit() && !isOpen(statements)) {
                CallersConnection.requireTransaction(connection);
            }
            return work.apply(statements);
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /**
     * Whether there is a transaction although the driver calls it auto-commit mode, as it does
     * where XA has begun one: what is set for a transaction is gone without one.
     */
    private static boolean isOpen(Statements statements) {
        statements.call("SELECT pg_catalog.set_config('slipring.joined', 'yes', true)");
        return statements.first(
                "SELECT pg_catalog.current_setting('slipring.joined', true) IS NOT DISTINCT FROM"
                        + " 'yes'",
                row -> row.getBoolean(1));
    }

    @Override
    public Set<Capability> capabilities() {
        return store.capabilities();
    }

    @Override
    public Schema schema() {
        return store.schema();
    }

    @Override
    public List<String> rings() {
        return store.rings();
    }

    @Override
    public Optional<Shape> shape(String ring) {
        return store.shape(ring);
    }

    @Override
    public long change(String ring, Change change) {
        throw alone("a change of a ring");
    }

    @Override
    public long pushed(String ring, long producer) {
        return store.pushed(ring, producer);
    }

    @Override
    public Claimed claim(String ring, ClaimRequest request) {
        throw alone("a claim");
    }

    @Override
    public List<DeadLetter> deadLetters(String ring, String stage, String behind, int max) {
        throw alone("work on dead letters");
    }

    @Override
    public Survey survey(String ring, boolean verify) {
        return store.survey(ring, verify);
    }

    @Override
    public Store join(Connection transaction) {
        throw alone("joining");
    }

    private static StoreFailed alone(String what) {
        return new StoreFailed(what + " takes a transaction of its own; use the store itself");
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return store.listen(changed);
    }

    @Override
    public void close() {
        // The transaction is the caller's, and the store stays open.
    }
}
