// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

/** Something that a soak measures and that must not grow. */
enum Measure {
    /**
     * Resident memory of the processes that push and work; they touch their whole heaps at the
     * start.
     */
    CLIENTS("memory of the clients, MiB", "client_mib", 48),
    /** What is alive in their heaps after a full garbage collection. */
    ALIVE("alive in the heaps of the clients, MiB", "alive_mib", 12),
    /** Memory of the server's processes; what they share is counted once. */
    SERVER("memory of the server, MiB", "server_mib", 48),
    /** Threads of the processes that push and work. */
    THREADS("threads of the clients", "threads", 10),
    /** Files that these processes have open, including connections. */
    FILES("open files of the clients", "files", 10),
    /** Connections on the wire to the server. */
    CONNECTIONS("connections", "connections", 10),
    /** What the store has on its disk. */
    STORE("the store on its disk, MiB", "store_mib", 48);

    private final String label;
    private final String column;
    private final double slack;

    Measure(String label, String column, double slack) {
        this.label = label;
        this.column = column;
        this.slack = slack;
    }

    /** Its name, with the unit. */
    String label() {
        return label;
    }

    /** Its column in a table. */
    String column() {
        return column;
    }

    /** By how much it may grow before that counts as growth. */
    double slack() {
        return slack;
    }
}
