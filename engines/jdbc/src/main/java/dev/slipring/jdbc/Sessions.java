// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Uninterrupted;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Connections to a server: made when needed, and kept to be used again. */
final class Sessions implements AutoCloseable {

    /** Makes a connection. */
    interface Source {
        Session open() throws SQLException;
    }

    private final Source source;
    private final boolean keeps;
    private final Uninterrupted calls = new Uninterrupted();
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;
    private volatile long packet;
    private volatile Runnable whenLost = () -> {};

    /** How often all that were there have been given up. */
    private final AtomicLong generation = new AtomicLong();

    /**
     * Sessions.
     *
     * @param keeps whether they are kept here, or given back to a pool of the user's
     */
    Sessions(Source source, boolean keeps) {
        this.source = source;
        this.keeps = keeps;
    }

    /** What is to happen when a connection turns out to be lost, before another is used. */
    void whenLost(Runnable call) {
        whenLost = call;
    }

    /** Whether the connections are ours, and not those of a pool of the user's. */
    boolean areOurs() {
        return keeps;
    }

    /** How many bytes the server takes at once, as the last session said. */
    long packet() {
        return packet;
    }

    /** Calls the server, which no interrupt of the calling thread spoils. */
    <T> T call(Supplier<T> call) {
        return calls.call(call);
    }

    Session take() {
        if (closed) {
            throw new StoreFailed("the store is closed");
        }
        Session session = idle.pollFirst();
        while (session != null && !session.isAlive()) {
            end(session);
            session = idle.pollFirst();
        }
        if (session != null) {
            return session;
        }
        long now = generation.get();
        try {
            Session opened = source.open();
            opened.belongTo(now);
            packet = opened.packet();
            return opened;
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /** Takes a session back; one that is not clean, or was given up meanwhile, is closed. */
    void give(Session session, boolean clean) {
        if (clean && isWanted(session) && !session.isLost()) {
            idle.addFirst(session);
            // They may have been given up since the check above, by a thread that did not see this
            // session here yet.
            if (!isWanted(session) && idle.remove(session)) {
                end(session);
            }
        } else {
            end(session);
        }
    }

    private boolean isWanted(Session session) {
        return keeps && !closed && session.generation() == generation.get();
    }

    /**
     * Gives up all sessions, also those in use, which are closed when they come back: a restart of
     * the server has probably broken the idle ones too, and a server that takes no more writes
     * should not be used again.
     */
    void giveUp() {
        generation.incrementAndGet();
        for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            end(session);
        }
    }

    @Override
    public void close() {
        closed = true;
        calls.close();
        giveUp();
    }

    private void end(Session session) {
        if (session.isLost()) {
            whenLost.run();
        }
        try (AutoCloseable back = session.back()) {
            Connection connection = session.connection();
            if (!session.isLost() && !connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (Exception e) {
            // It is gone; the server has rolled back what was open in it.
        }
    }
}
