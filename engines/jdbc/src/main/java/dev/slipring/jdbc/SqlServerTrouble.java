// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;

import java.util.Set;

/** SQL Server's errors: what is wrong, and what to do. */
final class SqlServerTrouble implements Trouble {

    private static final int DEADLOCK = 1205;
    private static final int LOCK_WAIT = 1222;
    private static final int SNAPSHOT_CONFLICT = 3960;

    /** READPAST is refused at this isolation level. */
    private static final int NO_SKIPPING = 650;

    /** A table was changed behind a transaction that reads a snapshot. */
    private static final int SNAPSHOT_OF_OLD_TABLE = 3961;

    /** The versions of rows that a transaction reads were given up, as there was no room. */
    private static final int SNAPSHOT_LOST = 3966;

    /** Errors with which a session ends: it was killed, or its server stops or moves. */
    static final Set<Integer> LOST = Set.of(596, 6005, 40197);

    /** What is said of a database that is not there, and of one that is not open yet. */
    private static final int NO_DATABASE = 4060;

    /**
     * Errors of who asks a server that is starting, busy, or takes no more connections, that has
     * not opened the database yet, or that another has taken the place of.
     */
    private static final Set<Integer> NOT_NOW =
            Set.of(
                    615,
                    921,
                    922,
                    927,
                    941,
                    952,
                    976,
                    978,
                    982,
                    983,
                    988,
                    NO_DATABASE,
                    4221,
                    10928,
                    10929,
                    18401,
                    40501,
                    40613,
                    49918,
                    49919,
                    49920);

    private static final String ELEVATE =
            "ALTER DATABASE CURRENT SET MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON";

    /**
     * Deadlock, lock wait, no room for a lock, a snapshot that met a conflict, a changed table or
     * lost versions, duplicate keys; and conflicts of rows in memory.
     */
    private static final Set<Integer> AGAIN =
            Set.of(
                    DEADLOCK,
                    LOCK_WAIT,
                    1204,
                    SNAPSHOT_CONFLICT,
                    SNAPSHOT_OF_OLD_TABLE,
                    SNAPSHOT_LOST,
                    2627,
                    2601,
                    41301,
                    41302,
                    41305,
                    41325,
                    41839);

    /** A statement that somebody cancelled, or that took longer than the driver lets it. */
    private static final String STOPPED = "HY008";

    private static final int READ_ONLY = 3906;

    @Override
    public boolean isRetryable(SqlFailed failure) {
        return AGAIN.contains(failure.number());
    }

    @Override
    public boolean isLockWait(SqlFailed failure) {
        return failure.number() == LOCK_WAIT;
    }

    @Override
    public boolean isStopped(SqlFailed failure) {
        return STOPPED.equals(failure.getCause().getSQLState());
    }

    @Override
    public boolean isReadOnly(SqlFailed failure) {
        return failure.number() == READ_ONLY;
    }

    @Override
    public SlipringException explain(SqlFailed failure, String server) {
        String words = words(failure, server);
        return isUnreachable(failure)
                ? new StoreUnreachable(words, failure.getCause())
                : new StoreFailed(words, failure.getCause());
    }

    @Override
    public SlipringException inJoined(SqlFailed failure, String server) {
        return switch (failure.number()) {
            case DEADLOCK ->
                    new StoreFailed(
                            "the server has rolled back this whole transaction because of a"
                                    + " deadlock; only its owner can retry it: begin it again",
                            failure.getCause());
            case LOCK_WAIT ->
                    new StoreFailed(
                            "another transaction has what this one needs for longer than its"
                                    + " LOCK_TIMEOUT; only its owner can retry it: roll back and"
                                    + " begin again",
                            failure.getCause());
            case SNAPSHOT_CONFLICT ->
                    new StoreFailed(
                            "this transaction reads a snapshot, and somebody has written since; the"
                                    + " server has rolled it back, and only its owner can retry it:"
                                    + " begin it again, best at READ COMMITTED",
                            failure.getCause());
            case 2627, 2601 ->
                    new StoreFailed(
                            "this transaction reads a snapshot, and somebody has written since what"
                                    + " it does not see; only its owner can retry it: roll back and"
                                    + " begin again, best at READ COMMITTED"
                                    + said(failure),
                            failure.getCause());
            case NO_SKIPPING ->
                    new StoreFailed(
                            "this transaction is at another level than its driver knows of; set the"
                                    + " level with setTransactionIsolation, and begin again"
                                    + said(failure),
                            failure.getCause());
            case SNAPSHOT_OF_OLD_TABLE, SNAPSHOT_LOST ->
                    new StoreFailed(
                            "the server keeps the snapshot of this transaction no longer; only its"
                                    + " owner can retry it: roll back and begin again"
                                    + said(failure),
                            failure.getCause());
            case 41302, 41305, 41325, 41332, 41333 ->
                    new StoreFailed(
                            "with slots in memory a caller's transaction is at READ COMMITTED, and"
                                    + " this one met a conflict or has another level: roll back and"
                                    + " begin again"
                                    + said(failure),
                            failure.getCause());
            default -> explain(failure, server);
        };
    }

    /** Whether the server cannot be used now, and may be later. */
    private static boolean isUnreachable(SqlFailed failure) {
        return failure.isConnectionLost()
                || LOST.contains(failure.number())
                || NOT_NOW.contains(failure.number());
    }

    private static String said(SqlFailed failure) {
        return " (" + failure.getMessage() + ")";
    }

    private static String words(SqlFailed failure, String server) {
        return switch (failure.number()) {
            case 51000 ->
                    "the database "
                            + server
                            + " does not have the settings that Slipring needs; run: "
                            + failure.getMessage();
            case LOCK_WAIT ->
                    "another transaction keeps what is needed here locked on "
                            + server
                            + "; find who keeps a transaction open"
                            + " (sys.dm_tran_active_transactions)"
                            + said(failure);
            case 18456 ->
                    "the server "
                            + server
                            + " refuses the login; look at the user and the password"
                            + said(failure);
            case NO_DATABASE, 911 ->
                    "there is no such database on "
                            + server
                            + ", or it is not open yet, or this login may not use it; create it"
                            + " first"
                            + said(failure);
            case 208, 2812 ->
                    "the schema of Slipring on "
                            + server
                            + " is missing or incomplete: 'slipring migrate apply' makes one where"
                            + " there is none, but not what was dropped of one"
                            + said(failure);
            default -> further(failure, server);
        };
    }

    private static String further(SqlFailed failure, String server) {
        return switch (failure.number()) {
            case 229, 230, 262, 297, 300, 2760 ->
                    "the server "
                            + server
                            + " does not allow it; look at the permissions of the user"
                            + said(failure);
            case 1101, 1105, 9002, 3967 ->
                    "the disk or the log of " + server + " is full" + said(failure);
            case 701, 41805, 41823, 41840 ->
                    "the server " + server + " has no memory left for it" + said(failure);
            case READ_ONLY, 3908 -> "the database " + server + " is read-only" + said(failure);
            case 41337, 40536 ->
                    "the database "
                            + server
                            + " has no room for tables in memory: add a filegroup that CONTAINS"
                            + " MEMORY_OPTIMIZED_DATA, or leave out slots=memory"
                            + said(failure);
            case 41368 ->
                    "the database "
                            + server
                            + " does not have the setting that slots in memory need; run: "
                            + ELEVATE
                            + said(failure);
            default ->
                    isUnreachable(failure)
                            ? unreachable(failure, server)
                            : "the server "
                                    + server
                                    + " could not do it; nothing was stored"
                                    + said(failure);
        };
    }

    private static String unreachable(SqlFailed failure, String server) {
        String message = failure.getMessage();
        String hint =
                message.contains("PKIX") || message.contains("SSL")
                        ? "; its certificate is not trusted here: give trustStore=FILE, or, for a"
                                + " test, trustServerCertificate=true"
                        : "";
        return "the server "
                + server
                + " cannot be reached, or the connection to it broke"
                + hint
                + said(failure);
    }
}
