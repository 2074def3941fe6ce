// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Fenced;
import dev.slipring.NoSuchRing;
import dev.slipring.NotInHand;
import dev.slipring.OutcomeUnknown;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.sql.RootCause;

import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;

/** PostgreSQL's errors in words: what is wrong, and what to do. */
final class Trouble {

    private static final Pattern OWN = Pattern.compile("slipring\\.(push|take)_\\d");

    private static final String LOCK_WAIT = "55P03";

    /** The driver's, where it was asked for a password or an encryption that it was not given. */
    static final String TURNED_DOWN = "08004";

    private final String place;

    /** Errors of a database. */
    Trouble(String place) {
        this.place = place;
    }

    /** What an error means for work that has not happened. */
    RuntimeException explain(SqlFailed failure) {
        String said = failure.getMessage();
        return switch (failure.state()) {
            case "42883" ->
                    isOwn(said) ? new RingGone("no such ring any more") : failed(failure, said);
            case "SLR01" -> new NoSuchRing(first(said));
            case "SLR04" -> new NoSuchStage(first(said));
            case "SLR06" -> new WrongIsolation(first(said));
            case "SLR07" -> new RingGone(first(said));
            case "SLR05" -> new IllegalArgumentException(first(said));
            default -> failed(failure, said);
        };
    }

    private RuntimeException failed(SqlFailed failure, String said) {
        String words = words(failure) + " (" + first(said) + ")";
        return failure.isUnreachable()
                ? new StoreUnreachable(words, failure.getCause())
                : new StoreFailed(words, failure.getCause());
    }

    /** Whether it is about a function of a ring's own. */
    private static boolean isOwn(String said) {
        return OWN.matcher(said).find();
    }

    /** What an error means for a statement that stood in a transaction of its own. */
    RuntimeException atCommit(SqlFailed failure) {
        if (failure.isCutOff()) {
            return unknown("the connection to " + place + " was lost before it answered", failure);
        }
        if (failure.isUnread()) {
            return unknown("there was no memory to read the answer of " + place, failure);
        }
        return explain(failure);
    }

    private static SlipringException unknown(String what, SqlFailed failure) {
        return new OutcomeUnknown(
                what
                        + ": what was asked may or may not be stored ("
                        + first(failure.getMessage())
                        + ")",
                failure.getCause());
    }

    /** Whether somebody kept something locked for longer than this waits. */
    static boolean isLockWait(StoreFailed failure) {
        return failure.getCause() instanceof SQLException cause
                && LOCK_WAIT.equals(cause.getSQLState());
    }

    /** Whether the server takes no writes. */
    static boolean isReadOnly(StoreFailed failure) {
        return failure.getCause() instanceof SQLException cause
                && "25006".equals(cause.getSQLState());
    }

    /** The refusal of a word. */
    static RuntimeException refused(String status, String reason) {
        return switch (status) {
            case "fenced" -> new Fenced(reason);
            case "stray" -> new NotInHand(reason);
            default -> new IllegalArgumentException(reason);
        };
    }

    private String words(SqlFailed failure) {
        if (failure.isUnread()) {
            return "there was no memory here to read the answer of " + place;
        }
        String state = failure.state();
        return switch (state) {
            case "3D000" -> "there is no such database at " + place + "; create it first";
            case "28P01", "28000" ->
                    "the user name or the password was refused by "
                            + place
                            + "; nothing was stored";
            case "08001" -> noConnection(failure);
            case TURNED_DOWN ->
                    "no connection to "
                            + place
                            + ", which turned it down; see whether it wants a password (in the"
                            + " URL, PGPASSWORD or ~/.pgpass) or another sslmode; nothing was"
                            + " stored";
            case "42501" ->
                    "this role may not do that in "
                            + place
                            + "; the Java client needs the rights of the schema's owner (GRANT"
                            + " owner TO role), and to make the schema CREATE on the database or"
                            + " an empty one of its own (CREATE SCHEMA slipring AUTHORIZATION"
                            + " role); nothing was stored";
            case "25006", "25P02", "40001", "40P01", LOCK_WAIT, "57014" -> ofTransaction(state);
            case "53300" ->
                    place
                            + " has no connection left; raise max_connections, or the limit of the"
                            + " role or the database, or open fewer; nothing was stored";
            case "53100", "53200" -> place + " has no disk or memory left; nothing was stored";
            case "3F000", "42P01", "42883" -> missing(failure);
            case "42P06" ->
                    "there is a schema 'slipring' in "
                            + place
                            + ", but not all of what Slipring keeps in it; drop it if nobody needs"
                            + " what is there, or take another database; nothing was stored";
            case "42P05", "26000" ->
                    "a pooler shares out the connections to "
                            + place
                            + "; add prepareThreshold=0 to the options of the URL; nothing was"
                            + " stored";
            case "XX000" -> failure.isOfDropped() ? dropped() : unexplained();
            default ->
                    failure.isCutOff()
                            ? "the connection to " + place + " was lost; nothing was stored"
                            : failure.hasNoConnection() ? noConnection(failure) : unexplained();
        };
    }

    private String ofTransaction(String state) {
        return switch (state) {
            case "25006" ->
                    place
                            + " is read-only, a standby perhaps, or this transaction is, as"
                            + " default_transaction_read_only may say; connect to the primary, or"
                            + " begin a transaction that may write";
            case "25P02" ->
                    "an error before this one has ended the transaction in "
                            + place
                            + "; roll back and begin again";
            case LOCK_WAIT ->
                    "another transaction keeps what is needed here locked in "
                            + place
                            + "; end it (pg_stat_activity shows who is idle in transaction), or"
                            + " wait longer (lock_timeout); nothing was stored";
            case "57014" ->
                    "a statement was cancelled in "
                            + place
                            + ", by somebody or because it took longer than statement_timeout"
                            + " allows; nothing was stored";
            default ->
                    "this transaction met another one in " + place + "; roll back and begin again";
        };
    }

    private String noConnection(SqlFailed failure) {
        Throwable root = RootCause.of(failure);
        if (root instanceof UnknownHostException) {
            return "the host of " + place + " is not known here; nothing was stored";
        }
        if (root instanceof SQLTransientConnectionException) {
            // A pool that waited in vain, and has no error of a connection to tell.
            return "no connection to "
                    + place
                    + " became free in time: calls of this process have all of the pool's, or the"
                    + " server does not answer; nothing was stored";
        }
        return "no connection to "
                + place
                + "; see whether the server runs there, has a connection left and lets this user"
                + " in; nothing was stored";
    }

    private String missing(SqlFailed failure) {
        if (failure.isOfDropped()) {
            return dropped();
        }
        return isOfSlipring(failure)
                ? "the schema of Slipring in "
                        + place
                        + " is missing or incomplete: 'slipring migrate apply' makes one where"
                        + " there is none, but not what was dropped of one"
                : unexplained();
    }

    /** Whether what is missing is Slipring's, and not what an event trigger of others names. */
    private static boolean isOfSlipring(SqlFailed failure) {
        return first(failure.getMessage()).contains("slipring");
    }

    private String dropped() {
        return "a ring was dropped meanwhile in "
                + place
                + ", or a part of one by hand; nothing was stored";
    }

    private String unexplained() {
        return "PostgreSQL could not do it in " + place + "; nothing was stored";
    }

    /** The first line without the driver's "ERROR: ". */
    private static String first(String said) {
        String line = said.lines().findFirst().orElse("");
        return line.startsWith("ERROR: ") ? line.substring("ERROR: ".length()) : line;
    }
}
