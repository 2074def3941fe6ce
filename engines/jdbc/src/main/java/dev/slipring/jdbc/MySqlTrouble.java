// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;
import dev.slipring.sql.Lent;
import dev.slipring.sql.RootCause;

import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;

/** The errors of MariaDB and MySQL: what is wrong, and what to do. */
final class MySqlTrouble implements Trouble {

    static final int DEADLOCK = 1213;
    static final int LOCK_WAIT = 1205;

    /**
     * Of a commit, with the number of a storage engine's error: there is one of deadlocks too. A
     * node of Galera says so where it is cut off, and others may have what it had sent.
     */
    static final int NOT_COMMITTED = 1180;

    private static final Pattern ENGINE_DEADLOCK = Pattern.compile("\\s149\\s");

    /** MariaDB's innodb_snapshot_isolation: what a transaction has seen has changed since. */
    static final int RECORD_CHANGED = 1020;

    /** MySQL's last word in a session that was idle for too long, since 8.0.24. */
    static final int WAS_IDLE = 4031;

    /** What is refused in a distributed transaction, and in what state of it (XAER_RMFAIL). */
    static final int DISTRIBUTED = 1399;

    /** That something of a transaction cannot be set any more, as it is open. */
    static final int IN_TRANSACTION = 1568;

    /** Of all; the driver takes it for a connection that was lost. */
    private static final int NO_CONNECTION_LEFT = 1040;

    private static final int NONE_LEFT_FOR_USER = 1203;

    /** Of MySQL, as of a member that its group has taken out: it lets in only who may set that. */
    private static final int OFFLINE = 3032;

    /** Of prepared statements, of all connections together. */
    private static final int NONE_LEFT_TO_PREPARE = 1461;

    /** What a server says where any of its options stands against a statement, and names it. */
    private static final int SET_SO = 1290;

    /** Of a session. */
    private static final int READ_ONLY_SESSION = 1792;

    /** Of an InnoDB. */
    private static final int READ_ONLY_MODE = 1836;

    /** The names of the options that make a server read-only. */
    private static final Pattern READ_ONLY = Pattern.compile("read[-_]only");

    /** Where a server counts what its threads wait for. */
    private static final String WAITS = "performance_schema";

    /** How its tables of that begin, of which MySQL says only the name. */
    private static final String WAITS_TABLE = "'events_waits";

    /** Whom to look for. What was prepared belongs to no connection, and outlives the server. */
    private static final String FIND =
            "find who keeps a transaction open (information_schema.innodb_trx; where its thread is"
                    + " 0 it was prepared, and XA RECOVER shows it)";

    /** What the driver says, without a number, where MySQL's own way to log in wants a key. */
    private static final String NO_KEY = "RSA public key is not available";

    private static final int DUPLICATE = 1062;

    /** A table was changed, or flushed, behind a prepared statement. */
    private static final int PREPARE_AGAIN = 1615;

    /** A table was rebuilt behind a transaction that reads. */
    private static final int DEFINITION_CHANGED = 1412;

    /** MySQL's group replication has rolled back a commit, as another member was faster. */
    private static final int NOT_CERTIFIED = 3101;

    /**
     * A member of MySQL's group replication heard no more of a commit, as it was cut off or taken
     * out of the group. It takes the commit back, and the others may have it.
     */
    private static final int HOOK_FAILED = 3100;

    private static final Set<Integer> AGAIN =
            Set.of(
                    DEADLOCK,
                    LOCK_WAIT,
                    RECORD_CHANGED,
                    WAS_IDLE,
                    PREPARE_AGAIN,
                    DEFINITION_CHANGED,
                    NOT_CERTIFIED,
                    DUPLICATE);

    /** Errors of who may not make a procedure in this database, or not call it. */
    static final Set<Integer> NOT_ALLOWED = Set.of(1044, 1142, 1227, 1304, 1370, 1419);

    /** There is no such procedure, or it is one of another version. */
    private static final Set<Integer> NO_PROCEDURE = Set.of(1305, 1318);

    /** Errors of what was killed, or took too long, and of a commit that was cut off. */
    private static final Set<Integer> STOPPED =
            Set.of(1317, 1927, 1969, 3024, HOOK_FAILED, WAS_IDLE, NOT_COMMITTED);

    @Override
    public boolean isRetryable(SqlFailed failure) {
        return AGAIN.contains(number(failure));
    }

    @Override
    public boolean isLockWait(SqlFailed failure) {
        return failure.number() == LOCK_WAIT;
    }

    @Override
    public boolean isStopped(SqlFailed failure) {
        return STOPPED.contains(number(failure));
    }

    @Override
    public boolean isDistributed(SqlFailed failure) {
        return failure.number() == DISTRIBUTED;
    }

    @Override
    public boolean isWithoutProcedures(SqlFailed failure) {
        return NO_PROCEDURE.contains(failure.number()) || NOT_ALLOWED.contains(failure.number());
    }

    /**
     * The number of an error: a deadlock's also where a member of a group gives way to another in
     * the commit, of which MySQL says only that the commit failed.
     */
    private static int number(SqlFailed failure) {
        boolean gaveWay =
                failure.number() == NOT_COMMITTED
                        && ENGINE_DEADLOCK.matcher(failure.getMessage()).find();
        return gaveWay ? DEADLOCK : failure.number();
    }

    @Override
    public SlipringException explain(SqlFailed failure, String server) {
        String words = words(failure, server);
        return failure.isConnectionLost() || letsNobodyIn(failure)
                ? new StoreUnreachable(words, failure.getCause())
                : new StoreFailed(words, failure.getCause());
    }

    @Override
    public SlipringException inJoined(SqlFailed failure, String server) {
        return switch (number(failure)) {
            case DEADLOCK ->
                    new StoreFailed(
                            "the server has rolled back this whole transaction because of a"
                                    + " deadlock; only its owner can retry it: begin it again",
                            failure.getCause());
            case LOCK_WAIT ->
                    new StoreFailed(
                            "another transaction has what this one needs for longer than its"
                                    + " innodb_lock_wait_timeout; only its owner can retry it: roll"
                                    + " back and begin again, or "
                                    + FIND,
                            failure.getCause());
            case RECORD_CHANGED ->
                    new StoreFailed(
                            "this transaction read before it wrote, and somebody has written"
                                    + " since (innodb_snapshot_isolation); only its owner can retry"
                                    + " it: roll back and begin again",
                            failure.getCause());
            case DISTRIBUTED ->
                    new StoreFailed(
                            "the distributed transaction (XA) has ended on this connection; take"
                                    + " part in it before that ("
                                    + failure.getMessage()
                                    + ")",
                            failure.getCause());
            case 1046, 1146 ->
                    new StoreFailed(
                            "the connection is to no database with rings, the ring is on "
                                    + server
                                    + "; a transaction is within one database ("
                                    + failure.getMessage()
                                    + ")",
                            failure.getCause());
            default -> explain(failure, server);
        };
    }

    @Override
    public boolean isReadOnly(SqlFailed failure) {
        return switch (failure.number()) {
            case READ_ONLY_SESSION, READ_ONLY_MODE -> true;
            case SET_SO -> READ_ONLY.matcher(failure.getMessage()).find();
            default -> false;
        };
    }

    private static boolean letsNobodyIn(SqlFailed failure) {
        return switch (failure.number()) {
            case NO_CONNECTION_LEFT, NONE_LEFT_FOR_USER, OFFLINE -> true;
            default -> false;
        };
    }

    private static boolean isOfNoHost(SqlFailed failure) {
        return RootCause.of(failure) instanceof UnknownHostException;
    }

    private String words(SqlFailed failure, String server) {
        String said = " (" + failure.getMessage() + ")";
        if (failure.isConnectionLost() && isOfNoHost(failure)) {
            return "the host of " + server + " is not known here";
        }
        if (failure.isConnectionLost() && !letsNobodyIn(failure)) {
            return "the server "
                    + server
                    + " cannot be reached, or the connection to it broke"
                    + said;
        }
        if (failure.getMessage().contains(NO_KEY)) {
            return "the server "
                    + server
                    + " wants the password encrypted; add to the URL sslMode=verify-full, or"
                    + " serverRsaPublicKeyFile=FILE, or, where nobody stands between,"
                    + " allowPublicKeyRetrieval=true"
                    + said;
        }
        return switch (failure.number()) {
            case LOCK_WAIT ->
                    "another transaction keeps what is needed here locked on "
                            + server
                            + "; "
                            + FIND
                            + said;
            case NO_CONNECTION_LEFT, NONE_LEFT_FOR_USER ->
                    "the server "
                            + server
                            + " has no connection left; raise max_connections (max_user_connections"
                            + " where the user has as many) or open fewer; nothing was stored"
                            + said;
            case 1045, 1698 ->
                    "the server "
                            + server
                            + " refused the user name or the password, or lets this user in by an"
                            + " encrypted connection only (add sslMode=verify-full to the URL)"
                            + said;
            case 1044, 1142, 1227 ->
                    "the server "
                            + server
                            + " refuses this, as a right is missing; the user needs "
                            + grant(said);
            case 1049 -> "there is no such database on " + server + "; create it first" + said;
            case 1146 ->
                    "the schema of Slipring on "
                            + server
                            + " is missing or incomplete: 'slipring migrate apply' makes one where"
                            + " there is none, but not what was dropped of one"
                            + said;
            case 1153 ->
                    "the server "
                            + server
                            + " takes no packet that large; raise max_allowed_packet"
                            + said;
            default -> further(failure, server, said);
        };
    }

    private String further(SqlFailed failure, String server, String said) {
        return switch (failure.number()) {
            case 1665 ->
                    "the server "
                            + server
                            + " writes statements to its binary log; set binlog_format to MIXED"
                            + " or ROW"
                            + said;
            case NONE_LEFT_TO_PREPARE ->
                    "the server "
                            + server
                            + " prepares no more statements, as all its connections together have"
                            + " too many; raise max_prepared_stmt_count; nothing was stored"
                            + said;
            case OFFLINE -> "the server " + server + " is offline; nothing was stored" + said;
            case DISTRIBUTED, IN_TRANSACTION -> Lent.REFUSAL + said;
            case 1114, 1021, 1041 -> "the disk of " + server + " is full" + said;
            case READ_ONLY_SESSION ->
                    "the transaction, or its connection to "
                            + server
                            + ", is read-only; begin one that may write"
                            + said;
            default ->
                    "the server "
                            + server
                            + (isReadOnly(failure)
                                    ? " is read-only"
                                    : " could not do it; nothing was stored")
                            + said;
        };
    }

    private static String grant(String said) {
        return said.contains(WAITS) || said.contains(WAITS_TABLE)
                ? "SELECT on " + WAITS + said
                : "a grant for it, and who makes the schema ('slipring migrate apply') needs more"
                        + " than others"
                        + said;
    }
}
