// SPDX-License-Identifier: Apache-2.0
/**
 * The SQLite engine: rings in a file, shared by the processes of one machine.
 *
 * <p>{@link dev.slipring.sqlite.SqliteEngine} opens a store from a URL. The rest in layers:
 *
 * <pre>
 *   SqliteStore                        a ledger store on a file
 *   GroupWriter  Reader
 *   JoinedTransactor                   how work gets a transaction: ours, or the caller's
 *   GroupTransaction                   the one that the work of many shares
 *   SqliteRows   and its tables        the ledger's rows in SQL, see schema/001.sql
 *   KnownSequences                     what of them stays known, and is written last
 *   Statements  Trouble  LockPatience  JDBC, its errors in words, waiting for locks
 * </pre>
 */
package dev.slipring.sqlite;
