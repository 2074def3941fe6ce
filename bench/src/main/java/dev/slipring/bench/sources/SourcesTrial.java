// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** So many connections that push, and as many that pop, each in a procedure of the server. */
final class SourcesTrial implements Trial {

    private final ServerCalls calls;
    private final SourceSystem system;
    private final Setting setting;
    private final Contender contender;
    private final long slots;
    private final boolean pops;

    SourcesTrial(
            ServerCalls calls,
            SourceSystem system,
            Setting setting,
            Contender contender,
            long slots,
            boolean pops) {
        this.calls = calls;
        this.system = system;
        this.setting = setting;
        this.contender = contender;
        this.slots = slots;
        this.pops = pops;
    }

    /** Opens connections. */
    interface ServerCalls {
        Connection connect() throws SQLException;
    }

    @Override
    public Setting setting() {
        return setting;
    }

    @Override
    public Contender contender() {
        return contender;
    }

    /** The lesser of what was pushed and what was popped. */
    @Override
    public Measured run(Timing timing) throws Exception {
        make();
        double seconds = timing.window().toNanos() / 1e9;
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Long>> pushing = new ArrayList<>();
            List<CompletableFuture<Long>> popping = new ArrayList<>();
            double until = now() + 0.2 + seconds;
            for (int i = 0; i < setting.threads(); i++) {
                pushing.add(CompletableFuture.supplyAsync(() -> moved("push", until), threads));
                if (pops) {
                    popping.add(CompletableFuture.supplyAsync(() -> moved("pop", until), threads));
                }
            }
            long pushed = pushing.stream().mapToLong(CompletableFuture::join).sum();
            long popped = popping.stream().mapToLong(CompletableFuture::join).sum();
            return Measured.rate((pops ? Math.min(pushed, popped) : pushed) / (0.2 + seconds));
        } finally {
            threads.shutdown();
        }
    }

    private double now() throws SQLException {
        try (Connection connection = calls.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT UNIX_TIMESTAMP(SYSDATE(6))")) {
            row.next();
            return row.getDouble(1);
        }
    }

    private long moved(String way, double until) {
        try (Connection connection = calls.connect();
                CallableStatement call = connection.prepareCall("CALL source_" + way + "(?, ?)")) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            call.setDouble(1, until);
            call.setLong(2, slots);
            try (ResultSet row = call.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(system.name() + ": " + e.getMessage(), e);
        }
    }

    private void make() throws SQLException {
        close();
        try (Connection connection = calls.connect();
                Statement statement = connection.createStatement()) {
            for (String table : system.tables()) {
                statement.execute(table);
            }
            statement.execute(system.procedure(true));
            statement.execute(system.procedure(false));
        }
    }

    @Override
    public void close() {
        try (Connection connection = calls.connect();
                Statement statement = connection.createStatement()) {
            for (String name : List.of("ring", "push_counter", "pop_counter", "place")) {
                statement.execute("DROP TABLE IF EXISTS source_" + name);
            }
            for (String way : List.of("push", "pop")) {
                statement.execute("DROP SEQUENCE IF EXISTS source_" + way + "_sequence");
                statement.execute("DROP PROCEDURE IF EXISTS source_" + way);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
