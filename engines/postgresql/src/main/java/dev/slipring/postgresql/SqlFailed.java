// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;

/** An error of PostgreSQL or of the way to it; {@link Trouble} puts it into words. */
final class SqlFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The name of something that a ring has of its own, with the ring's id. */
    private static final Pattern OF_RING =
            Pattern.compile(
                    "slipring\\.((slot|head|size|gate|freed|credit|allow)_\\d+_|(turn|stuck)_)\\d");

    SqlFailed(SQLException cause) {
        super(said(cause), cause);
    }

    /** The server's own words, in whatever language, without the severity that the driver adds. */
    private static String said(SQLException cause) {
        ServerErrorMessage answer = answer(cause);
        String words = answer == null ? null : answer.getMessage();
        if (words == null) {
            words = cause.getMessage();
        }
        return words == null ? cause.toString() : words;
    }

    /** The server's answer; null if it is not known. */
    private static ServerErrorMessage answer(Throwable cause) {
        return cause instanceof PSQLException failure ? failure.getServerErrorMessage() : null;
    }

    /** Where in the server it came about, which is the same in each language; else empty. */
    private String routine() {
        ServerErrorMessage answer = answer(getCause());
        return answer == null || answer.getRoutine() == null ? "" : answer.getRoutine();
    }

    /** The five characters that say what it was; empty if nobody does. */
    String state() {
        String state = ((SQLException) getCause()).getSQLState();
        return state == null ? "" : state;
    }

    /** Whether none of the connections was to be had in time, nor a new one. */
    boolean hasNoConnection() {
        return getCause() instanceof SQLTransientConnectionException;
    }

    /** Whether there was no connection, or is none any more. */
    boolean isUnreachable() {
        return isCutOff() || hasNoConnection() || state().equals("53300");
    }

    /** Whether this transaction met another one, and was the one to be rolled back. */
    boolean isDeadlock() {
        return state().equals("40P01");
    }

    /**
     * Whether a ring was dropped, with a table or a sequence that the statement was waiting for, or
     * came to after a wait.
     */
    boolean isOfDropped() {
        boolean known =
                state().equals("XX000")
                        && (routine().equals("relation_open")
                                || getMessage().contains("could not open relation"));
        return known || state().equals("42P01") && OF_RING.matcher(getMessage()).find();
    }

    /** Whether the connection was lost, so that nobody said what became of the statement. */
    boolean isCutOff() {
        // After 25P03 and 25P04, time-outs of a transaction, the server has ended the session too.
        return state().startsWith("08")
                || state().startsWith("57P")
                || state().equals("25P03")
                || state().equals("25P04");
    }

    /** Whether the driver had no memory left for an answer that was there. */
    boolean isUnread() {
        return getCause().getCause() instanceof Error;
    }
}
