// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.sql.Lender;
import dev.slipring.sql.Lent;
import dev.slipring.sql.Product;

import org.sqlite.SQLiteConnection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Opens a store: its connections, their settings, its schema. */
final class Opener {

    /**
     * The page size of a new file. A slot of 300 KB takes half as many writes as with pages of 4096
     * bytes.
     */
    private static final String PAGES = "PRAGMA page_size = 32768";

    /** Values of pragmas. */
    private static final int IN_MEMORY = 2;

    private static final int NORMAL = 1;

    private static final int FULL = 2;

    private final Opening opening;
    private final SqliteUrl.Options options;
    private final SqliteFile.Source source;
    private final LockPatience patience;
    private final Function<String, LogSync.LogFile> logs;
    private final FileLocation place;
    private final List<Statements> opened = new ArrayList<>();
    private Trouble trouble;
    private Path file;
    private OpenFile open;
    private LogSync.LogFile log;

    /** Whether the connections read by the log, so that nobody removes it. */
    private boolean usesLog;

    /** Whether the first connection came in auto-commit mode. */
    private boolean isAuto = true;

    Opener(Opening opening) {
        this(opening, LogChannel::new, new FileLocation());
    }

    /**
     * What opens a store.
     *
     * @param logs makes of a database's name what syncs its log
     * @param place knows where files lie
     */
    Opener(Opening opening, Function<String, LogSync.LogFile> logs, FileLocation place) {
        this.opening = opening;
        this.logs = logs;
        this.place = place;
        if (opening.url() == null) {
            options = SqliteUrl.Options.DEFAULT;
            source = opening.dataSource()::getConnection;
            trouble = new Trouble("of the data source", options.busy());
        } else {
            SqliteUrl url = SqliteUrl.parse(opening.url());
            options = url.options();
            file = SqliteFile.check(url.file());
            if (opening.existing() && !Files.exists(file)) {
                throw new StoreFailed(
                        "there is no file "
                                + file
                                + " yet; 'slipring create' or 'slipring push' makes it");
            }
            source = SqliteFile.source(file);
            trouble = new Trouble(file.toString(), options.busy());
        }
        patience = new LockPatience(options.busy());
    }

    Store open() {
        boolean done = false;
        try {
            if (file != null) {
                place.require(file, options.oneMachine());
                OpenFile.requireNotLost(file);
                copyLeftLog();
            }
            Statements writer = opened(connect());
            if (file == null) {
                file = fileOf(writer);
                place.requireOrTell(file);
                OpenFile.requireNotLost(file);
                trouble = new Trouble(file.toString(), options.busy());
            }
            SqliteFile.requireOneName(Path.of(SqliteFile.of(writer)));
            prepare(writer);
            // LogSync syncs the log.
            writer.set("synchronous", NORMAL);
            Statements reader = opened(connect());
            Statements checkpoints = opened(connect());
            SqliteStore store = store(writer, reader, new Checkpointer(checkpoints));
            done = true;
            return store;
        } catch (SqlFailed e) {
            throw trouble.explain(e);
        } finally {
            if (!done) {
                abandon();
            }
        }
    }

    /**
     * Has the log of a process that is gone copied to the file. If the disk refused a part of it,
     * the system still reads it as if it was there, and does not tell those who open it later: what
     * is pushed behind it would be lost with the machine. SQLite copies it when the last connection
     * is closed, and leaves a log that others use.
     */
    private void copyLeftLog() {
        Path left = OpenFile.log(file.toString());
        try {
            if (Files.exists(left) && Files.size(left) > 0) {
                try (Connection last = source.connect();
                        Statement read = last.createStatement()) {
                    read.execute("PRAGMA schema_version");
                }
            }
        } catch (IOException | SQLException e) {
            // The attempt to open it will say what is wrong.
        }
    }

    /** Where files or threads are short the more so. */
    private void abandon() {
        opened.forEach(Opener::abandon);
        if (log != null) {
            log.close();
        }
        if (open != null) {
            open.closed();
        }
    }

    private SqliteStore store(Statements writer, Statements reader, Checkpointer checkpointer) {
        String database = SqliteFile.of(writer);
        open = new OpenFile(database, file);
        log = logs.apply(database);
        if (usesLog) {
            log.open();
        }
        Shared shared = new Shared(open, options, opening.clock(), new Caches(), trouble);
        Reader reads = reader(reader, shared.caches());
        GroupWriter groups =
                new GroupWriter(shared, writer, new ReadAhead(reads), log, checkpointer);
        checkpointer.start();
        SqliteTransactor transactor =
                new SqliteTransactor(
                        shared, groups, reads, () -> reader(connect(), new Caches()), checkpointer);
        return new SqliteStore(transactor, options.durableSettle());
    }

    private Reader reader(Statements statements, Caches caches) {
        statements.set("query_only", 1);
        SqliteRows rows = new SqliteRows(statements, opening.clock(), caches, Cells.Witness.NONE);
        return new Reader(statements, rows, patience, trouble);
    }

    private Statements opened(Statements statements) {
        opened.add(statements);
        return statements;
    }

    private Statements connect() {
        Statements statements = null;
        boolean done = false;
        try {
            Connection connection = fresh();
            statements = new Statements(connection);
            Product.require(connection, Set.of("SQLite"));
            SqliteVersion.check(statements);
            statements.giveBackTo(Lent.of(connection, this::isOfTheThread));
            setUp(statements);
            done = true;
            return statements;
        } catch (SQLException e) {
            throw new SqlFailed(e);
        } finally {
            if (!done && statements != null) {
                abandon(statements);
            }
        }
    }

    /**
     * Whether a connection that is not in auto-commit mode may be that of a transaction of the
     * thread's own. SQLite does not tell whether a transaction is open. But a source that hands out
     * such a connection hands out the same one again, and a pool another. If all connections come
     * in this mode, only the first is checked: to take a second one each time is too much for a
     * small pool.
     */
    private boolean isOfTheThread(Connection connection) throws SQLException {
        if (opened.isEmpty()) {
            isAuto = false;
            try (Connection second = fresh()) {
                return isSame(connection, second);
            }
        }
        try (Connection second = isAuto ? source.connect() : null) {
            return second != null && isSame(connection, second);
        } catch (SQLException none) {
            // A source that has no second connection to give is a pool.
            return false;
        }
    }

    private static boolean isSame(Connection one, Connection other) throws SQLException {
        return one.isWrapperFor(SQLiteConnection.class)
                && one.unwrap(SQLiteConnection.class) == other.unwrap(SQLiteConnection.class);
    }

    private Connection fresh() throws SQLException {
        try {
            return Lender.lend(source::connect);
        } catch (SQLException e) {
            if (opening.url() != null) {
                throw e;
            }
            boolean busy = new SqlFailed(e).isBusy() && !opened.isEmpty();
            throw new StoreFailed(busy ? locked(e) : none(e), e);
        }
    }

    private String locked(SQLException error) {
        return "the data source gives no second connection to "
                + file
                + " while the first is open; leave journal_mode and locking_mode to Slipring ("
                + error.getMessage()
                + ")";
    }

    private static String none(SQLException error) {
        return "the data source gives no connection; a store keeps three of them, and more while"
                + " threads read, so a pool needs those besides the application's own ("
                + error.getMessage()
                + ")";
    }

    private void setUp(Statements statements) {
        patience.insist(() -> set(statements));
    }

    private static void set(Statements statements) {
        // Patience does the waiting.
        statements.set("busy_timeout", 0);
        statements.run(PAGES);
        if (statements
                .first("PRAGMA locking_mode", row -> row.getString(1))
                .equalsIgnoreCase("exclusive")) {
            throw new StoreFailed(
                    "the data source has PRAGMA locking_mode = EXCLUSIVE, so only one connection"
                            + " could use the file; leave that out");
        }
        // A checkpoint has to sync the log and the file, whatever a pool has set.
        statements.set("synchronous", FULL);
        statements.set("cache_size", -16_000);
        statements.set("wal_autocheckpoint", Checkpointer.LOG_PAGES);
        statements.set("journal_size_limit", 128 << 20);
        statements.set("temp_store", IN_MEMORY);
    }

    private static Path fileOf(Statements statements) {
        String name = SqliteFile.of(statements);
        if (name.isEmpty()) {
            throw new StoreFailed(
                    "the data source is a SQLite database in memory, which the"
                            + " connections of a store cannot share; use a file, or 'memory:'");
        }
        return Path.of(name);
    }

    private void prepare(Statements writer) {
        String name = file.toString();
        int installed =
                SqliteSchema.checked(patience.insist(() -> SqliteSchema.installed(writer)), name);
        opening.checkThere(installed, name);
        usesLog = opening.migrate() || installed > 0;
        if (usesLog) {
            useLog(writer);
        }
        if (opening.migrate()) {
            SqliteSchema.migrate(writer, patience, name);
        }
    }

    /** Readers and the writer do not wait for each other only with a write-ahead log. */
    private void useLog(Statements writer) {
        String mode = patience.insist(() -> mode(writer, "PRAGMA journal_mode"));
        if (!mode.equals("wal")) {
            mode = patience.insist(() -> mode(writer, "PRAGMA journal_mode = WAL"));
        }
        if (!mode.equals("wal")) {
            throw new StoreFailed(
                    "SQLite cannot keep a write-ahead log for "
                            + file
                            + ", its journal mode is '"
                            + mode
                            + "'; use a disk of this machine");
        }
    }

    private static String mode(Statements statements, String pragma) {
        return statements.first(pragma, row -> row.getString(1));
    }

    private static void abandon(Statements statements) {
        try {
            statements.end();
        } catch (SqlFailed e) {
            // The first error is thrown already.
        }
    }
}
