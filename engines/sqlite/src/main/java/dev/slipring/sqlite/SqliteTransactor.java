// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.Schema;
import dev.slipring.StoreFailed;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Transactor;
import dev.slipring.sql.CallersConnection;
import dev.slipring.sql.Precondition;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs work on a file: writes in groups, reads beside them, and joined work in the transaction of
 * the caller.
 */
final class SqliteTransactor implements Transactor<Rows> {

    private final GroupWriter writer;
    private final Reader reader;
    private final Supplier<Reader> further;
    private final Checkpointer checkpointer;
    private final Shared shared;
    private final OpenFile file;
    private final Trouble trouble;

    private final Precondition<Reader> schemaIsThere = new Precondition<>();

    SqliteTransactor(
            Shared shared,
            GroupWriter writer,
            Reader reader,
            Supplier<Reader> further,
            Checkpointer checkpointer) {
        this.shared = shared;
        this.writer = writer;
        this.reader = reader;
        this.further = further;
        this.checkpointer = checkpointer;
        file = shared.file();
        trouble = shared.trouble();
        schemaIsThere.set(
                own ->
                        SqliteSchema.require(
                                own.ask(SqliteSchema::installed), file.path().toString()));
    }

    @Override
    public <T> T write(boolean durable, Function<Rows, T> work) {
        schemaIsThere.require(reader);
        return writer.write(durable, work);
    }

    @Override
    public <T> Optional<T> tryWrite(Duration patience, Function<Rows, T> work) {
        schemaIsThere.require(reader);
        try {
            return Optional.of(writer.write(true, patience, work));
        } catch (FileLocked others) {
            return Optional.empty();
        }
    }

    @Override
    public <T> T read(Function<Rows, T> work) {
        schemaIsThere.require(reader);
        return read(reader, work);
    }

    @Override
    public <T> T readAtLength(Function<Rows, T> work) {
        schemaIsThere.require(reader);
        return further(own -> read(own, work));
    }

    private <T> T read(Reader with, Function<Rows, T> work) {
        return with.read(
                rows -> {
                    file.check();
                    return work.apply(rows);
                });
    }

    /**
     * Reads on a connection of its own. The shared reader has to stay free: while there is no room
     * for a push, the thread that writes for all reads with it.
     */
    private <T> T further(Function<Reader, T> work) {
        reader.requireOpen();
        // A new connection would make a file where there is none any more.
        file.checkNow();
        try (Reader own = further.get()) {
            return work.apply(own);
        } catch (SqlFailed e) {
            throw trouble.explain(e);
        }
    }

    /** What runs work in the caller's transaction, which stays open. */
    JoinedTransactor join(Connection transaction) {
        schemaIsThere.require(reader);
        file.check();
        JoinedTransactor joined = new JoinedTransactor(transaction, shared);
        try (Statements statements = new Statements(transaction)) {
            CallersConnection.requireProduct(
                    transaction, Set.of("SQLite"), "in the SQLite file " + file.path());
            joined.check();
            CallersFile.check(statements, file.path());
            return joined;
        } catch (SQLException e) {
            throw trouble.inJoined(new SqlFailed(e));
        } catch (SqlFailed e) {
            throw trouble.inJoined(e);
        }
    }

    Schema schema() {
        return reader.ask(SqliteSchema::of);
    }

    /** What SQLite finds broken in the file. */
    List<String> findings() {
        return further(own -> own.ask(SqliteTransactor::integrity));
    }

    private static List<String> integrity(Statements statements) {
        List<String> findings =
                new ArrayList<>(statements.list("PRAGMA integrity_check", row -> row.getString(1)));
        findings.remove("ok");
        findings.addAll(Orphans.findings(statements));
        return findings;
    }

    long size() {
        return file.size();
    }

    Path file() {
        return file.path();
    }

    /**
     * Whether another connection has committed since this was last asked.
     *
     * @throws StoreFailed if the file is not there any more
     */
    boolean neighboursCommitted() {
        file.check();
        return writer.neighboursCommitted();
    }

    /**
     * Closes the reader before the writer: SQLite tidies up when the last connection is closed, and
     * that one must be able to write. Each is closed, whatever became of the one before.
     */
    void close() {
        try (writer;
                reader;
                checkpointer) {
            // They are closed from the last to the first.
        } catch (SqlFailed e) {
            throw trouble.explain(e);
        }
    }
}
