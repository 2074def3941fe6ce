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
    private final ConcurrentLinkedDeque<ServerTable> idle = new ConcurrentLinkedDeque<>();

    ServerNaive(String url, Plan plan) throws SQLException {
        this.url = url;
        queues = plan.stages();
        use(
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

    private <T> T use(Use<T> use) throws SQLException {
        ServerTable free = idle.pollFirst();
        ServerTable table = free != null ? free : new ServerTable(url, queues);
        T result = use.of(table);
        idle.push(table);
        return result;
    }

    @Override
    void insert(List<byte[]> bodies) throws SQLException {
        use(
                table -> {
                    table.insert(bodies);
                    return null;
                });
    }

    @Override
    List<byte[]> delete(int queue, int most) throws SQLException {
        return use(table -> table.delete(queue, most));
    }

    @Override
    long count(int queue) throws SQLException {
        return use(table -> table.count(queue));
    }

    @Override
    long bytes(int queue) throws SQLException {
        return use(table -> table.bytes(queue));
    }

    @Override
    public void close() throws SQLException {
        for (ServerTable table = idle.pollFirst(); table != null; table = idle.pollFirst()) {
            table.close();
        }
    }
}
