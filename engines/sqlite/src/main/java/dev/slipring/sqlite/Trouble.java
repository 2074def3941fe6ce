// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.OutcomeUnknown;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;

import org.sqlite.SQLiteErrorCode;

import java.time.Duration;

/** SQLite's errors in words: what is wrong with the file, and what to do. */
final class Trouble {

    private final String file;
    private final Duration busy;

    Trouble(String file, Duration busy) {
        this.file = file;
        this.busy = busy;
    }

    /** What an error means for work that has not happened. */
    StoreFailed explain(SqlFailed failure) {
        boolean locked =
                failure.code() == SQLiteErrorCode.SQLITE_BUSY
                        || failure.code() == SQLiteErrorCode.SQLITE_PROTOCOL
                        || failure.code() == SQLiteErrorCode.SQLITE_LOCKED;
        return locked
                ? new FileLocked(words(failure), failure.getCause())
                : new StoreFailed(words(failure), failure.getCause());
    }

    /** What an error means for work whose commit failed and was rolled back. */
    SlipringException atCommit(SqlFailed failure) {
        if (failure.code() == SQLiteErrorCode.SQLITE_IOERR) {
            return new OutcomeUnknown(
                    "the disk failed while SQLite committed to "
                            + file
                            + ": what was asked may or may not be stored; look at the disk, then"
                            + " ask again"
                            + room(failure)
                            + " ("
                            + failure.getMessage()
                            + ")",
                    failure.getCause());
        }
        return explain(failure);
    }

    /** What it means that something of Java's broke once the commit may have been sent. */
    OutcomeUnknown unknown(Throwable broken) {
        return new OutcomeUnknown(
                "the commit to "
                        + file
                        + " broke off ("
                        + broken
                        + "): what was asked may or may not be stored",
                broken);
    }

    /** What an error means in a transaction of the caller. */
    StoreFailed inJoined(SqlFailed failure) {
        if (failure.extended() == SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT) {
            return new StoreFailed(
                    "this transaction read before it wrote, and somebody has"
                            + " written to "
                            + file
                            + " since; only its owner can retry it: roll back and"
                            + " begin again, best with a write first (BEGIN IMMEDIATE)",
                    failure.getCause());
        }
        if (failure.code() == SQLiteErrorCode.SQLITE_BUSY) {
            return new StoreFailed(
                    "another transaction holds the write lock of "
                            + file
                            + " for longer than this connection's busy_timeout; nothing was stored:"
                            + " roll back and try again, or set a longer busy_timeout",
                    failure.getCause());
        }
        if (failure.extended() == SQLiteErrorCode.SQLITE_READONLY) {
            return new StoreFailed(
                    "this connection may only read "
                            + file
                            + ": it was opened so, or it has PRAGMA query_only = 1; nothing was"
                            + " stored; join with one that may write",
                    failure.getCause());
        }
        return explain(failure);
    }

    private String words(SqlFailed failure) {
        String said = " (" + failure.getMessage() + ")";
        return switch (failure.code()) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
                    "the file "
                            + file
                            + " is locked by another transaction, of this process or another, for "
                            + busy.toSeconds()
                            + " s or more; find"
                            + " who keeps one open, or wait longer with '?busy=SECONDS'"
                            + said;
            case SQLITE_FULL ->
                    "the disk is full, or the file "
                            + file
                            + " has reached its largest size; nothing was stored; free some space"
                            + said;
            case SQLITE_CORRUPT ->
                    "the file "
                            + file
                            + " is damaged; stop using it and restore a"
                            + " backup, or save what can be read with 'sqlite3 FILE .recover'"
                            + said;
            case SQLITE_NOTADB -> "the file " + file + " is not a SQLite database" + said;
            case SQLITE_READONLY -> readOnly(failure) + said;
            case SQLITE_CANTOPEN -> Unopened.words(file) + said;
            case SQLITE_IOERR ->
                    failure.extended() == SQLiteErrorCode.SQLITE_IOERR_SHMMAP
                            ? unshared() + said
                            : "the disk failed to read or write the file "
                                    + file
                                    + "; nothing was stored"
                                    + room(failure)
                                    + said;
            case SQLITE_NOMEM ->
                    "SQLite found no memory for the file " + file + "; nothing was stored" + said;
            default ->
                    "SQLite could not do it in the file "
                            + file
                            + "; nothing was stored"
                            + hint(failure)
                            + said;
        };
    }

    private String readOnly(SqlFailed failure) {
        return failure.extended() == SQLiteErrorCode.SQLITE_READONLY_DBMOVED
                ? OpenFile.moved(file)
                : "the file "
                        + file
                        + " is read-only; this process needs the right to write to it"
                        + " and to its folder";
    }

    private String unshared() {
        return "the file system of "
                + file
                + " cannot map a file into the memory that processes share (FUSE with direct_io"
                + " cannot, and some network shares), or this process may have no more memory;"
                + " nothing was stored; use a disk of this machine";
    }

    /** SQLite knows one of the ways only in which the system says that there is no room. */
    private static String room(SqlFailed failure) {
        return switch (failure.extended()) {
            case SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE ->
                    "; there may be no room for it: free some space, or let this process write"
                            + " larger files (ulimit -f)";
            default -> "";
        };
    }

    private static String hint(SqlFailed failure) {
        String said = failure.getMessage();
        return said.contains("no such table: slipring_")
                ? "; its schema is missing or incomplete: 'slipring migrate apply' makes one where"
                        + " there is none, but not what was dropped of one"
                : "";
    }
}
