// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * SQL Server 2016 and later: READ COMMITTED over row versions, and READPAST.
 *
 * <p>What is locked is read under READCOMMITTEDLOCK, which sees what is current and not a version,
 * and without which READPAST is refused here.
 */
final class SqlServerDialect implements Dialect {

    /** How often the driver connects again by itself when a connection is lost. */
    private static final String RECONNECTS = "connectRetryCount";

    /** How long a statement of ours waits for a lock. */
    static final String LOCK_TIMEOUT = "SET LOCK_TIMEOUT 1000";

    /** Begins a transaction that reads and writes what is committed. */
    static final List<String> BEGIN =
            List.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "BEGIN TRANSACTION");

    private final boolean inMemory;
    private final Guest guest = new SqlServerGuest();
    private final Trouble trouble = new SqlServerTrouble();

    /**
     * The dialect.
     *
     * @param inMemory whether a new schema has its slots in memory-optimised tables
     */
    SqlServerDialect(boolean inMemory) {
        this.inMemory = inMemory;
    }

    @Override
    public List<String> products() {
        return List.of("Microsoft SQL Server");
    }

    @Override
    public ServerUrl url(String url) {
        return SqlServerUrl.parse(url);
    }

    @Override
    public Connection connect(ServerUrl url) throws SQLException {
        String server = url.address().substring(0, url.address().indexOf('/'));
        return new SQLServerDriver().connect("jdbc:sqlserver://" + server, properties(url));
    }

    /** What the driver is told. */
    static Properties properties(ServerUrl url) {
        int slash = url.address().indexOf('/');
        Properties properties = new Properties();
        properties.putAll(url.options());
        // What is remembered of a server must not outlive the connection to it unseen.
        properties.keySet().removeIf(name -> RECONNECTS.equalsIgnoreCase((String) name));
        properties.put(RECONNECTS, "0");
        properties.putIfAbsent("loginTimeout", "10");
        properties.putIfAbsent("applicationName", "slipring");
        properties.put("databaseName", url.address().substring(slash + 1));
        if (url.user() != null) {
            properties.put("user", url.user());
        }
        if (url.password() != null) {
            properties.put("password", url.password());
        }
        return properties;
    }

    @Override
    public List<String> greeting() {
        return List.of(
                "SET XACT_ABORT ON",
                "SET NOCOUNT ON",
                LOCK_TIMEOUT,
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    @Override
    public Session session(Connection connection, boolean ours, long packet) {
        return new BatchSession(connection, packet);
    }

    @Override
    public String packetQuery() {
        return JdbcSchema.script("sqlserver/ready.sql");
    }

    @Override
    public String now() {
        return "DATEDIFF_BIG(MILLISECOND, '19700101', SYSUTCDATETIME())";
    }

    @Override
    public String place() {
        return "CONCAT(CAST(SERVERPROPERTY('ServerName') AS NVARCHAR(128)), '/', DB_NAME())";
    }

    @Override
    public String select(String columns, String table, String where, Lock lock) {
        String hints =
                switch (lock) {
                    case NONE -> "";
                    case CURRENT -> " WITH (ROWLOCK, READCOMMITTEDLOCK)";
                    case SHARE -> " WITH (ROWLOCK, REPEATABLEREAD)";
                    case UPDATE -> " WITH (ROWLOCK, UPDLOCK, READCOMMITTEDLOCK)";
                    case SKIP -> " WITH (ROWLOCK, UPDLOCK, READPAST, READCOMMITTEDLOCK)";
                };
        return "SELECT " + columns + " FROM " + table + hints + " WHERE " + where;
    }

    @Override
    public String limit(int rows) {
        return " OFFSET 0 ROWS FETCH NEXT " + rows + " ROWS ONLY";
    }

    @Override
    public String bytesOf(String column) {
        return "DATALENGTH(" + column + ")";
    }

    @Override
    public String noBytes() {
        return "0x";
    }

    @Override
    public List<String> nextRing() {
        return List.of("SELECT NEXT VALUE FOR dbo.slipring_ring_id");
    }

    @Override
    public Script putSlot(Object[] slot, boolean joined) {
        return new Script()
                .run(
                        "EXECUTE dbo.slipring_put_slot @ring = ?, @lane = ?, @cell = ?, @turn = ?,"
                                + " @first_position = ?, @messages = ?, @producer = ?,"
                                + " @number = ?, @pushed_at = ?, @size = ?, @pieces = ?, @body = ?",
                        slot);
    }

    @Override
    public Script makeCells(long ring, int lane, Extent extent) {
        return new Script()
                .run(
                        "EXECUTE dbo.slipring_make_cells @ring = ?, @lane = ?, @first_cell = ?,"
                                + " @cells = ?",
                        ring,
                        lane,
                        extent.cell(),
                        extent.cells());
    }

    @Override
    public List<String> begin() {
        return BEGIN;
    }

    @Override
    public List<String> beginReading() {
        return List.of(LOCK_TIMEOUT, JdbcSchema.script("sqlserver/begin-reading.sql"));
    }

    @Override
    public Optional<String> keepReading() {
        return Optional.of(JdbcSchema.script("sqlserver/keep-reading.sql"));
    }

    /** The isolation level outlives a transaction; a reading one must not leave its own behind. */
    @Override
    public String commit() {
        return "COMMIT TRANSACTION; SET TRANSACTION ISOLATION LEVEL READ COMMITTED";
    }

    /** An error has often rolled back already. */
    @Override
    public String rollback() {
        return "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;"
                + " SET TRANSACTION ISOLATION LEVEL READ COMMITTED";
    }

    @Override
    public List<String> scripts() {
        return files(inMemory).stream()
                .map(file -> JdbcSchema.script("sqlserver/001/" + file))
                .toList();
    }

    /** The files of the schema, in order. */
    static List<String> files(boolean inMemory) {
        return inMemory
                ? List.of("memory.sql", "table.sql", "slot-memory.sql", "push.sql", "version.sql")
                : List.of("table.sql", "slot.sql", "push.sql", "version.sql");
    }

    @Override
    public void migrate(Session session, List<String> scripts, BooleanSupplier isDone) {
        new SqlServerMigration(session).run(scripts, isDone);
    }

    @Override
    public String schemaQuery() {
        return "SELECT COUNT(*) FROM sys.tables WHERE object_id ="
                + " OBJECT_ID(N'dbo.slipring_schema')";
    }

    @Override
    public String sizeQuery() {
        return "SELECT SUM(CAST(pages.used_pages AS BIGINT)) * 8192 FROM sys.tables AS ours"
                + " JOIN sys.partitions AS parts ON parts.object_id = ours.object_id"
                + " JOIN sys.allocation_units AS pages ON pages.container_id IN"
                + " (parts.hobt_id, parts.partition_id)"
                + " WHERE ours.name LIKE N'slipring[_]%'";
    }

    @Override
    public List<WaitQuery> waitQueries() {
        List<String> queries = SqlServerMigration.batches(JdbcSchema.script("sqlserver/waits.sql"));
        return List.of(
                new WaitQuery("wait", queries.get(0)),
                new WaitQuery("latch", queries.get(1)),
                new WaitQuery("spinlock", queries.get(2)));
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
        return trouble;
    }
}
