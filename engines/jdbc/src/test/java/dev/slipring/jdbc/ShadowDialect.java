// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * MariaDB's dialect with SQL Server's in its shadow: every text of MariaDB's dialect carries the
 * text of SQL Server's in a comment. So one run on MariaDB shows what SQL Server would have been
 * sent.
 */
final class ShadowDialect implements Dialect {

    /** The beginning of texts that only MariaDB is sent. */
    static final String ONLY = "/*m*/ ";

    private static final List<Integer> LEVELS =
            List.of(
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Connection.TRANSACTION_SERIALIZABLE,
                    ISQLServerConnection.TRANSACTION_SNAPSHOT);

    private final MySqlDialect runs = new MySqlDialect();
    private final SqlServerDialect says = new SqlServerDialect(false);
    private final Guest guest = new ShadowGuest();

    private static String both(String tsql, String mysql) {
        return "/*t " + tsql + " t*/ " + mysql + " /*e*/";
    }

    /** The text that SQL Server would have been sent instead. */
    static String tsql(String text) {
        return text.replaceAll("(?s)/\\*t (.*?) t\\*/.*?/\\*e\\*/", "$1");
    }

    private static String mysql(String text) {
        return text.replaceAll("(?s)/\\*t .*? t\\*/ (.*?) /\\*e\\*/", "$1");
    }

    private static List<String> only(List<String> texts) {
        return texts.stream().map(text -> ONLY + text).toList();
    }

    /** Records the texts that do not depend on what happens. */
    void recordTheRest() {
        says.greeting().forEach(Recorded::add);
        says.begin().forEach(Recorded::add);
        says.guest().begin().forEach(Recorded::add);
        says.guest().keeps().ifPresent(Recorded::add);
        LEVELS.forEach(level -> says.guest().end(at(level), 1L).forEach(Recorded::add));
        says.beginReading().forEach(Recorded::add);
        says.keepReading().ifPresent(sql -> Recorded.add(sql, "a ring"));
        Recorded.add(says.packetQuery());
        says.guest().lentSetting().ifPresent(Recorded::add);
        Recorded.add(SqlServerGuest.OPEN);
        says.waitQueries().forEach(query -> Recorded.add(query.sql()));
        Recorded.add(SqlServerMigration.lock());
        Recorded.add(SqlServerMigration.isThere(), "dbo.slipring_lane");
        Recorded.add(SqlServerMigration.unlock());
    }

    /** A connection that says to be at an isolation level. */
    private static Connection at(int level) {
        return (Connection)
                Proxy.newProxyInstance(
                        ShadowDialect.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> level);
    }

    @Override
    public List<String> products() {
        return runs.products();
    }

    @Override
    public Connection connect(ServerUrl url) throws SQLException {
        return runs.connect(url);
    }

    @Override
    public List<String> greeting() {
        return only(runs.greeting());
    }

    @Override
    public Session session(Connection connection, boolean ours, long packet) {
        return new RecordingSession(connection, ours, packet);
    }

    @Override
    public String packetQuery() {
        return ONLY + runs.packetQuery();
    }

    @Override
    public String now() {
        return both(says.now(), runs.now());
    }

    @Override
    public String place() {
        return both(says.place(), runs.place());
    }

    @Override
    public String select(String columns, String table, String where, Lock lock) {
        return both(
                says.select(tsql(columns), table, tsql(where), lock),
                runs.select(mysql(columns), table, mysql(where), lock));
    }

    @Override
    public String limit(int rows) {
        return both(says.limit(rows), runs.limit(rows));
    }

    @Override
    public String bytesOf(String column) {
        return both(says.bytesOf(column), runs.bytesOf(column));
    }

    @Override
    public String noBytes() {
        return both(says.noBytes(), runs.noBytes());
    }

    @Override
    public List<String> nextRing() {
        return List.of(
                ONLY + runs.nextRing().get(0),
                both(says.nextRing().get(0), runs.nextRing().get(1)));
    }

    @Override
    public Script putSlot(Object[] slot, boolean joined) {
        return apart(says.putSlot(slot, joined), runs.putSlot(slot, joined));
    }

    @Override
    public Script makeCells(long ring, int lane, Extent extent) {
        return apart(says.makeCells(ring, lane, extent), runs.makeCells(ring, lane, extent));
    }

    private static Script apart(Script tsql, Script mysql) {
        tsql.steps().forEach(step -> Recorded.add(step.sql(), step.values()));
        Script only = new Script();
        mysql.steps().forEach(step -> only.run(ONLY + step.sql(), step.values()));
        return only;
    }

    @Override
    public List<String> begin() {
        return only(runs.begin());
    }

    @Override
    public List<String> beginReading() {
        return only(runs.beginReading());
    }

    @Override
    public String commit() {
        return both(says.commit(), runs.commit());
    }

    @Override
    public String rollback() {
        return both(says.rollback(), runs.rollback());
    }

    @Override
    public List<String> scripts() {
        return runs.scripts();
    }

    @Override
    public void migrate(Session session, List<String> scripts, BooleanSupplier isDone) {
        Session own = runs.session(session.connection(), true, session.packet());
        runs.migrate(own, scripts, isDone);
    }

    @Override
    public String schemaQuery() {
        return both(says.schemaQuery(), runs.schemaQuery());
    }

    @Override
    public String sizeQuery() {
        return both(says.sizeQuery(), runs.sizeQuery());
    }

    @Override
    public List<WaitQuery> waitQueries() {
        return runs.waitQueries();
    }

    @Override
    public boolean hasProcedures() {
        return false;
    }

    @Override
    public Guest guest() {
        return guest;
    }

    @Override
    public Trouble trouble() {
        return runs.trouble();
    }

    /** What SQL Server would want of a caller; the connections themselves are MariaDB's. */
    private final class ShadowGuest implements Guest {

        @Override
        public Optional<String> callersSetting() {
            return says.guest().callersSetting().map(setting -> both(setting, "'nothing'"));
        }

        @Override
        public List<String> begin() {
            return only(runs.guest().begin());
        }

        @Override
        public Session callersSession(Connection caller) {
            return session(caller, false, Long.MAX_VALUE);
        }
    }

    /** Keeps each statement before it is sent. */
    private static final class RecordingSession extends Session {

        RecordingSession(Connection connection, boolean several, long packet) {
            super(connection, several, packet);
        }

        @Override
        void run(Script script) {
            for (Script.Step step : script.steps()) {
                if (!step.sql().startsWith(ONLY)) {
                    Recorded.add(tsql(step.sql()), step.values());
                }
            }
            super.run(script);
        }
    }
}
