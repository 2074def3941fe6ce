// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

import java.util.List;
import java.util.Locale;

/**
 * What all processes and the store take at one moment.
 *
 * @param seconds since the begin
 * @param clientMebibytes resident memory of the processes that push and work
 * @param serverMebibytes memory of the server's processes, what they share counted once
 * @param threads of the processes that push and work
 * @param files that they have open, connections among them
 * @param connections on the wire to the server
 * @param storeMebibytes what the store has on its disk
 */
public record Sample(
        double seconds,
        double clientMebibytes,
        double serverMebibytes,
        double threads,
        double files,
        double connections,
        double storeMebibytes) {

    static final List<String> NAMES =
            List.of(
                    "memory of the clients, MiB",
                    "memory of the server, MiB",
                    "threads of the clients",
                    "open files of the clients",
                    "connections",
                    "the store on its disk, MiB");

    static final String HEAD = "seconds,client_mib,server_mib,threads,files,connections,store_mib";

    /** A value, in the order of the names. */
    double value(int which) {
        return switch (which) {
            case 0 -> clientMebibytes;
            case 1 -> serverMebibytes;
            case 2 -> threads;
            case 3 -> files;
            case 4 -> connections;
            default -> storeMebibytes;
        };
    }

    String line() {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%.1f", seconds));
        for (int i = 0; i < NAMES.size(); i++) {
            line.append(String.format(Locale.ROOT, ",%.1f", value(i)));
        }
        return line.toString();
    }
}
