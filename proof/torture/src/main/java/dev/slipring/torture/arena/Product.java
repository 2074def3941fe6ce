// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

/** What the torture asks of a server in its own SQL, and how the engine behaves there. */
enum Product {
    POSTGRES(
            "SELECT nspname || '.' || relname FROM pg_class"
                    + " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
                    + " WHERE relkind IN ('r', 'p', 'f', 'v', 'm')"
                    + " AND nspname <> 'information_schema' AND left(nspname, 3) <> 'pg_'"
                    + " ORDER BY 1",
            "SELECT pg_database_size(current_database())",
            "SELECT 'log', pg_current_wal_insert_lsn()::text"),
    MYSQL(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
                    + " ORDER BY 1",
            "SELECT SUM(data_length + index_length) FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE()",
            "SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'");

    /** Asks for the names of all tables, a row each. */
    final String tables;

    /** Asks for the bytes of the database. */
    final String bytes;

    /** Asks how far the server has written its log, in the second column. */
    final String mark;

    Product(String tables, String bytes, String mark) {
        this.tables = tables;
        this.bytes = bytes;
        this.mark = mark;
    }

    static Product of(ServerAddress address) {
        return address.scheme().equals("postgresql") ? POSTGRES : MYSQL;
    }

    /** Whether claims and words do not wait for the disk, as pushes do. */
    boolean forgets() {
        return this == POSTGRES;
    }

    /** Whether pushes into several lanes at one time stay within the capacity. */
    boolean isExact() {
        return this == POSTGRES;
    }

    boolean hasSegments() {
        return this == POSTGRES;
    }
}
