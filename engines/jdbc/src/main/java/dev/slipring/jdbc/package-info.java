// SPDX-License-Identifier: Apache-2.0
/**
 * The slot ring over JDBC: rings of preallocated slots that are updated in place, in MariaDB, MySQL
 * and SQL Server.
 *
 * <p>In layers:
 *
 * <pre>
 *   MariaDbEngine  MySqlEngine
 *   SqlServerEngine                    open a store from a URL or a data source
 *   JdbcStore                          a ledger store on a server
 *   JdbcTransactor  JoinedTransactor   how work gets a transaction: ours, or the caller's
 *   JdbcRows, and the tables behind it the ledger's rows: a lane is read whole under its lock,
 *                                      changed in memory, and written back with the commit
 *   Dialect  Guest  Trouble            what differs between servers: their SQL, what they want on
 *                                      connections that are not ours, and their errors
 *   Sessions  Session  Script          connections; several statements in one round trip
 * </pre>
 */
package dev.slipring.jdbc;
