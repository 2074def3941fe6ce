// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Leftover;
import dev.slipring.bench.subject.Sql;
import dev.slipring.bench.subject.Target;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts' queues in procedures of MariaDB or MySQL. */
final class MySqlSources extends ProcedureSources {

    private static final String FLUSH = "innodb_flush_log_at_trx_commit";
    private static final String SYNC = "sync_binlog";
    private static final String LOCK = "slipring_bench_relaxed";
    private static final int ALIVE_SECONDS = 5;

    private final boolean hasSequences;

    /**
     * Queues.
     *
     * @param hasSequences whether the server has sequences, and tables of numbers, as MariaDB has
     */
    MySqlSources(boolean hasSequences) {
        super("UNIX_TIMESTAMP(SYSDATE(6))", "(?, ?, ?)");
        this.hasSequences = hasSequences;
    }

    @Override
    public List<SourceSystem> systems(long slots) {
        return new MySqlSystems(hasSequences, slots).all();
    }

    @Override
    public String warning(Target target) {
        return "the runs without waiting for the disk set "
                + FLUSH
                + " and "
                + SYNC
                + " to 0 in the whole server while they last, also for others; now: "
                + Stream.of(target.server().split(", "))
                        .filter(setting -> setting.contains(FLUSH) || setting.contains(SYNC))
                        .collect(Collectors.joining(", "));
    }

    /**
     * These servers have no such setting for one database, so it is set for the whole server
     * meanwhile. Only one run at a time may do so: a second run would take the first one's setting
     * for the server's own, and set it back to that.
     */
    @Override
    public Relaxed relax(Way way) throws SQLException {
        Connection connection = way.connect();
        boolean set = false;
        try {
            if (value(connection, "GET_LOCK('" + LOCK + "', 1)") != 1) {
                throw new BenchFailed(
                        "another run on this server has its waiting for the disk off now;"
                                + " wait for its end");
            }
            int flush = value(connection, "@@GLOBAL." + FLUSH);
            if (flush == 0) {
                throw new BenchFailed(
                        FLUSH
                                + " is 0 on this server, perhaps since a run was killed: nothing"
                                + " waits for the disk; SET GLOBAL "
                                + FLUSH
                                + " = 1 first");
            }
            String back = set(flush, value(connection, "@@GLOBAL." + SYNC));
            Leftover left =
                    Leftover.make(
                            back,
                            () -> Sql.run(connection, set(0, 0)),
                            () -> setBack(connection, way, back));
            set = true;
            return left::close;
        } finally {
            if (!set) {
                connection.close();
            }
        }
    }

    /**
     * Sets the server back. The connection keeps the lock and is closed then; if it was lost,
     * another connection is opened to set back.
     */
    private static void setBack(Connection connection, Way way, String back) throws SQLException {
        try (connection;
                Connection other = connection.isValid(ALIVE_SECONDS) ? null : way.connect()) {
            Sql.run(other == null ? connection : other, back);
        }
    }

    private static String set(int flush, int sync) {
        return "SET GLOBAL " + FLUSH + " = " + flush + ", GLOBAL " + SYNC + " = " + sync;
    }

    private static int value(Connection connection, String what) throws SQLException {
        return (int) Sql.number(connection, "SELECT " + what);
    }

    @Override
    String procedure(String way, String body, int most) {
        return "CREATE PROCEDURE source_"
                + way
                + " (IN from_time DOUBLE, IN until_time DOUBLE, IN slots BIGINT)\n"
                + "BEGIN\n"
                + "  DECLARE moved BIGINT DEFAULT 0;\n"
                + "  DECLARE earlier BIGINT;\n"
                + "  DECLARE n BIGINT;\n"
                + "  DECLARE found BIGINT;\n"
                + (most > 1 ? together(body, most) : alone(body))
                + "END";
    }

    /** Moves messages one by one until a time; after a deadlock it tries again. */
    private static String alone(String body) {
        return "  DECLARE CONTINUE HANDLER FOR 1205, 1213 BEGIN END;\n"
                + loops(body, "moved")
                + "  SELECT moved - earlier;\n";
    }

    /** One loop before the span and one within it, as a check in one loop would cost time. */
    private static String loops(String body, String counted) {
        String loop = "DO\n" + body + "  END WHILE;\n";
        return "  WHILE UNIX_TIMESTAMP(SYSDATE(6)) < from_time "
                + loop
                + "  SET earlier = "
                + counted
                + ";\n"
                + "  WHILE UNIX_TIMESTAMP(SYSDATE(6)) < until_time "
                + loop;
    }

    /**
     * The same with several messages in one transaction, which ends before the procedure sleeps.
     */
    private static String together(String body, int most) {
        String commit = "COMMIT; SET sure = moved; SET taken = 0;";
        String inUnits =
                body.replace("START TRANSACTION;", "SAVEPOINT counting;")
                                .replace("ROLLBACK;", "ROLLBACK TO counting;")
                                .replace("DO SLEEP", commit + " DO SLEEP")
                        + "    SET taken = taken + 1;\n"
                        + "    IF taken >= "
                        + most
                        + " THEN "
                        + commit
                        + " END IF;\n";
        return "  DECLARE sure BIGINT DEFAULT 0;\n"
                + "  DECLARE taken INT DEFAULT 0;\n"
                + "  DECLARE CONTINUE HANDLER FOR 1205, 1213 BEGIN\n"
                + "    ROLLBACK; SET moved = sure; SET taken = 0;\n"
                + "  END;\n"
                + "  SET autocommit = 0;\n"
                + loops(inUnits, "sure")
                + "  COMMIT;\n"
                + "  SET autocommit = 1;\n"
                + "  SELECT moved - earlier;\n";
    }
}
