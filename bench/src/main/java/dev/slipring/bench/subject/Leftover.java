// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;
import dev.slipring.engine.Passwords;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Something that a run makes or sets on a server, and that is taken back however the run ends: when
 * this is closed; if that fails, once more at the end of the run; or when the process is told to
 * end, by Ctrl-C or SIGTERM. Thread-safe.
 */
public final class Leftover implements AutoCloseable {

    /** Makes something, or takes it back. */
    @FunctionalInterface
    public interface Step {

        /** Does the step. */
        void run() throws SQLException;
    }

    /**
     * All that is still there, the latest first; also the lock that guards {@code ending} and all
     * steps.
     */
    private static final Deque<Leftover> THERE = new ArrayDeque<>();

    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftover::end, "slipring-bench-ending"));
    }

    private final String sql;
    private final Step takingBack;
    private boolean failed;

    private Leftover(String sql, Step takingBack) {
        this.sql = sql;
        this.takingBack = takingBack;
    }

    /**
     * Makes something that is to be taken back.
     *
     * @param sql what a user has to run to take it back, if this cannot
     */
    public static Leftover make(String sql, Step making, Step takingBack) throws SQLException {
        synchronized (THERE) {
            if (ending) {
                throw new BenchFailed("the process is ending");
            }
            Leftover made = new Leftover(sql, takingBack);
            THERE.push(made);
            try {
                making.run();
            } catch (SQLException e) {
                made.failed = isUnknown(e);
                if (!made.failed) {
                    THERE.remove(made);
                }
                throw e;
            }
            return made;
        }
    }

    /** Whether the connection was lost: then what was asked for may have been done. */
    private static boolean isUnknown(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("08");
    }

    /** Takes it back; if that fails, {@link #sweep} tries again. */
    @Override
    public void close() {
        synchronized (THERE) {
            if (THERE.contains(this)) {
                takeBack();
            }
        }
    }

    /** Takes it back; returns why that failed, or null if it did not. */
    private SQLException takeBack() {
        try {
            takingBack.run();
            THERE.remove(this);
            return null;
        } catch (SQLException e) {
            failed = true;
            return e;
        }
    }

    /**
     * Tries once more to take back what could not be taken back before, and names what is left
     * over.
     */
    public static void sweep(PrintStream says) {
        synchronized (THERE) {
            THERE.stream().filter(one -> one.failed).toList().forEach(one -> one.finish(says));
        }
    }

    private void finish(PrintStream says) {
        SQLException trouble = takeBack();
        if (trouble != null) {
            THERE.remove(this);
            says.println(
                    "something is left over on the server, as taking it back failed ("
                            + Passwords.masked(String.valueOf(trouble.getMessage()))
                            + "); run: "
                            + sql);
        }
    }

    private static void end() {
        synchronized (THERE) {
            ending = true;
            for (Leftover one : List.copyOf(THERE)) {
                System.err.println(
                        System.lineSeparator() + "bench was ended; it takes back: " + one.sql);
                one.finish(System.err);
            }
        }
    }

    /**
     * Waits for the end of the process if it is ending. A run that fails then fails only because
     * all it uses was taken away, so its failure must not be shown.
     */
    public static void awaitEnd() {
        boolean waits;
        synchronized (THERE) {
            waits = ending;
        }
        while (waits) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // The process is ending, so the wait goes on.
                continue;
            }
        }
    }
}
