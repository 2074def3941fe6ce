// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** The kit on SQL Server, with slots in memory. */
class SqlServerMemoryKitTest extends SqlServerKit {

    SqlServerMemoryKitTest() {
        super(true);
    }
}
