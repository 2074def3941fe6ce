// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The kit on SQL Server, with slots on disk. */
class SqlServerKitTest extends SqlServerKit {

    SqlServerKitTest() {
        super(false);
    }
}
