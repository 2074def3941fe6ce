// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** MariaDB and MySQL: InnoDB at READ COMMITTED, and SKIP LOCKED. */
final class MySqlDialect implements Dialect {

    private final Guest guest = new MySqlGuest();
    private final Trouble trouble = new MySqlTrouble();

    @Override
    public List<String> products() {
        return List.of("MariaDB", "MySQL");
    }

    @Override
    public ServerUrl url(String url) {
        ServerUrl parsed = ServerUrl.parse(url);
        MySqlOptions.check(url, parsed.options());
        return parsed;
    }

    @Override
    public Connection connect(ServerUrl url) throws SQLException {
        return MySqlConnector.connect(url);
    }

    @Override
    public List<String> greeting() {
        return MySqlSettings.GREETING;
    }

    @Override
    public Session session(Connection connection, boolean ours, long packet) {
        boolean several = ours && !MySqlSettings.isCertified(connection);
        return ours && isMySql(connection)
                ? new MySqlSession(connection, several, packet)
                : new Session(connection, several, packet);
    }

    private static boolean isMySql(Connection connection) {
        try {
            return connection.getMetaData().getDatabaseProductName().equals("MySQL");
        } catch (SQLException e) {
            return false;
        }
    }

    /** A TEXT: a claim takes these names as one value, and a stage's row those that it follows. */
    @Override
    public int mostNames() {
        return 65_535;
    }

    @Override
    public String packetQuery() {
        return "SELECT @@max_allowed_packet";
    }

    @Override
    public long mostSent(Connection connection) {
        return MySqlOptions.mostSent(connection);
    }

    @Override
    public String now() {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
    }

    /** Names alone would do, but for clusters in which many servers have the same ones. */
    @Override
    public String place() {
        return "CONCAT(@@hostname, ':', @@port, '/', DATABASE(), ' (', @@datadir"
                + "/*!80000 , ' ', @@server_uuid */, ')')";
    }

    @Override
    public String select(String columns, String table, String where, Lock lock) {
        String end =
                switch (lock) {
                    case NONE -> "";
                    case CURRENT, SHARE -> " LOCK IN SHARE MODE";
                    case UPDATE -> " FOR UPDATE";
                    case SKIP -> " FOR UPDATE SKIP LOCKED";
                };
        return "SELECT " + columns + " FROM " + table + " WHERE " + where + end;
    }

    @Override
    public String limit(int rows) {
        return " LIMIT " + rows;
    }

    @Override
    public String bytesOf(String column) {
        return "LENGTH(" + column + ")";
    }

    @Override
    public String noBytes() {
        return "''";
    }

    @Override
    public List<String> nextRing() {
        return List.of(
                "UPDATE slipring_id SET next = next + 1 WHERE kind = 1",
                "SELECT next FROM slipring_id WHERE kind = 1");
    }

    @Override
    public String noNextRing() {
        return MySqlTables.NO_NUMBER;
    }

    @Override
    public Optional<String> wrongQuery() {
        return Optional.of(MySqlTables.WRONG);
    }

    @Override
    public Script putSlot(Object[] slot, boolean joined) {
        return joined ? MySqlCells.putForCaller(slot) : MySqlCells.put(slot);
    }

    /**
     * From 11 on MariaDB reads the whole table where it is to delete a third of it, and waits for
     * whoever has a row locked in it, of other rings too.
     */
    @Override
    public String delete(String table, String where) {
        return "DELETE t FROM " + table + " t FORCE INDEX (PRIMARY) WHERE " + where;
    }

    @Override
    public Script makeCells(long ring, int lane, Extent extent) {
        return MySqlCells.inserts(ring, lane, extent);
    }

    @Override
    public List<String> begin() {
        return List.of("START TRANSACTION");
    }

    @Override
    public List<String> beginReading() {
        return List.of(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    }

    /** In words, as a session of the user's may chain transactions, or end with them. */
    @Override
    public String commit() {
        return "COMMIT AND NO CHAIN NO RELEASE";
    }

    @Override
    public String rollback() {
        return "ROLLBACK AND NO CHAIN NO RELEASE";
    }

    @Override
    public Optional<String> uncommitted() {
        return Optional.of("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
    }

    @Override
    public List<String> scripts() {
        return MySqlMigration.scripts();
    }

    @Override
    public void migrate(Session session, List<String> scripts, BooleanSupplier isDone) {
        new MySqlMigration(session).run(scripts, isDone);
    }

    @Override
    public String schemaQuery() {
        return "SELECT COUNT(*) FROM information_schema.tables"
                + " WHERE table_schema = DATABASE() AND table_name = 'slipring_schema'";
    }

    @Override
    public String sizeQuery() {
        return "SELECT SUM(data_length + index_length) FROM information_schema.tables"
                + " WHERE table_schema = DATABASE() AND table_name LIKE 'slipring\\_%'";
    }

    @Override
    public List<WaitQuery> waitQueries() {
        return List.of(
                new WaitQuery(
                        "wait",
                        "SELECT SUBSTRING(event_name, 6), count_star, sum_timer_wait DIV 1000, NULL"
                                + " FROM performance_schema"
                                + ".events_waits_summary_global_by_event_name"
                                + " WHERE count_star > 0 AND event_name LIKE 'wait/%'"));
    }

    @Override
    public Optional<String> takeRoomBack() {
        return Optional.of(
                "UPDATE slipring_lane SET room = 0, room_bytes = 0 WHERE ring = ? AND room > 0");
    }

    @Override
    public boolean hasProcedures() {
        return true;
    }

    @Override
    public Guest guest() {
        return guest;
    }

    @Override
    public Trouble trouble() {
        return trouble;
    }
}
