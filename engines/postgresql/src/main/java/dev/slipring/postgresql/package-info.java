// SPDX-License-Identifier: Apache-2.0
/**
 * The PostgreSQL engine: rings in a schema of a database. Push, claim and settle are one call each
 * of a function that people call from SQL too; what is rare runs by the ledger's rules on the same
 * rows.
 */
package dev.slipring.postgresql;
