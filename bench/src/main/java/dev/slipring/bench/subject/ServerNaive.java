// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The baseline on a server: a table as a queue, as well as one can write it. One row for each
 * message and stage; every thread that pushes or takes has a connection to itself, so that commits
 * share the server's group commit.
 */
final class ServerNaive extends TableSubject {

    private final String url;
    private final int queues;
    /** Connections for pushes: those for takes are in another mode of commit. */
    private final ConcurrentLinkedDeque<ServerTable> pushing = new ConcurrentLinkedDeque<>();

    private final ConcurrentLinkedDeque<ServerTable> taking = new ConcurrentLinkedDeque<>();

    ServerNaive(String url, Plan plan) throws SQLException {
        this.url = url;
        queues = plan.stages();
        use(
                taking,
                table -> {
                    table.create();
                    return null;
                });
        begin(plan);
    }

    /** Something to do with a connection. */
    private interface Use<T> {

        /** Uses it; returns the result. */
        T of(ServerTable table) throws SQLException;
    }

    /** A connection whose use failed is closed, with the transaction that may be open on it. */
    private <T> T use(ConcurrentLinkedDeque<ServerTable> idle, Use<T> use) throws SQLException {
        ServerTable free = idle.pollFirst();
        ServerTable table = free != null ? free : new ServerTable(url, queues);
        boolean used = false;
        try {
            T result = use.of(table);
            used = true;
            return result;
        } finally {
            if (used) {
                idle.push(table);
            } else {
                table.close();
            }
        }
    }

    @Override
    void insert(List<byte[]> bodies) throws SQLException {
        use(
                pushing,
                table -> {
                    table.insert(bodies);
                    return null;
                });
    }

    @Override
    List<byte[]> delete(int queue, int most) throws SQLException {
        return use(taking, table -> table.delete(queue, most));
    }

    @Override
    long count(int queue) throws SQLException {
        return use(taking, table -> table.count(queue));
    }

    @Override
    long bytes(int queue) throws SQLException {
        return use(taking, table -> table.bytes(queue));
    }

    @Override
    public void close() throws SQLException {
        close(pushing);
        close(taking);
    }

    private static void close(ConcurrentLinkedDeque<ServerTable> idle) throws SQLException {
        for (ServerTable table = idle.pollFirst(); table != null; table = idle.pollFirst()) {
            table.close();
        }
    }
}
