// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

/** A thing that a soak measures, and that has to stay flat. */
enum Measure {
    /** Resident memory of the processes that push and work; their heaps are touched at once. */
    CLIENTS("memory of the clients, MiB", "client_mib", 48),
    /** What is alive in their heaps, looked at after a collection of all. */
    ALIVE("alive in the heaps of the clients, MiB", "alive_mib", 12),
    /** Memory of the server's processes, what they share counted once. */
    SERVER("memory of the server, MiB", "server_mib", 48),
    /** Threads of the processes that push and work. */
    THREADS("threads of the clients", "threads", 10),
    /** Files that they have open, connections among them. */
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

    /** What it is, with its unit. */
    String label() {
        return label;
    }

    /** Its column in a table. */
    String column() {
        return column;
    }

    /** What is less than so much more is no growth. */
    double slack() {
        return slack;
    }
}
