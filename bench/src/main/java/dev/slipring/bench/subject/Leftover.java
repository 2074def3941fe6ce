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
 * Something that a run makes or sets on a server, and takes back however it ends: when this is
 * closed; at the end of the run if that failed; or when the process is told to end, by Ctrl-C or by
 * SIGTERM. Thread-safe.
 */
public final class Leftover implements AutoCloseable {

    /** Makes something, or takes it back. */
    @FunctionalInterface
    public interface Step {

        /** Does so. */
        void run() throws SQLException;
    }

    /** What is there, the last first; also the lock of what follows. */
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
     * @param sql what takes it back, for people
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

    /** Whether the connection was lost: what was asked may have been done. */
    private static boolean isUnknown(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("08");
    }

    /** Takes it back; if that fails, {@link #sweep} is going to say so. */
    @Override
    public void close() {
        synchronized (THERE) {
            if (THERE.contains(this)) {
                takeBack();
            }
        }
    }

    /** Returns why not; null if it is gone. */
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

    /** Takes back once more what could not be taken back when it was to be, and names the rest. */
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
     * Waits for the end of the process if that is on its way: what fails then fails because
     * everything was taken away from it, and says nothing to anybody.
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
                // The process ends all the same.
                continue;
            }
        }
    }
}
