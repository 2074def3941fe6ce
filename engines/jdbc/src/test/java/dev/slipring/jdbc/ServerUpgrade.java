// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.NewerSchema;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The way to a next version of the schema, on servers that commit each statement of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerUpgrade {

    static final String NEXT =
            "ALTER TABLE slipring_stage ADD COLUMN note INT NOT NULL DEFAULT 0;\n"
                    + "CREATE INDEX slipring_aside_failed ON slipring_aside (ring, failed_at);\n"
                    + "ALTER TABLE slipring_stage DROP COLUMN note;\n"
                    + "ALTER TABLE slipring_ring ADD COLUMN note INT NOT NULL DEFAULT 0;\n";

    @RegisterExtension private final RunningServer server;

    ServerUpgrade(ServerFiles files) {
        server = new RunningServer(files);
    }

    Server server() {
        return server.get();
    }

    private long number(String query) throws SQLException {
        try (Connection connection = server.get().connect("mysql");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    long version(String database) throws SQLException {
        return number("SELECT version FROM " + database + ".slipring_schema");
    }

    /** Upgrades to version 2; the last script of all says that it is there. */
    static void upgrade(String url, String... scripts) {
        try (Slipring slipring = Slipring.open(url)) {
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            List<String> all = new ArrayList<>(transactor.dialect().scripts());
            all.addAll(List.of(scripts));
            all.add("UPDATE slipring_schema SET version = 2;\n");
            JdbcSchema.migrate(transactor, all, 2);
        }
    }

    /** A column is there that cannot be added again, and so on. */
    @Test
    void goesOnWhereItWasCutOff() throws SQLException {
        String database = server.get().newDatabase();
        String url = server.get().url(database);
        try (Slipring slipring = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(1));
            IntStream.range(0, 10).forEach(i -> ring.push("m" + i));
            Claim first = ring.stage().claim(2, Duration.ofSeconds(20));
            String broken = "UPDATE slipring_none SET x = 1;\n";
            assertThatThrownBy(() -> upgrade(url, NEXT, broken)).isInstanceOf(SqlFailed.class);
            assertThat(version(database)).isEqualTo(1);
            List<CompletableFuture<Void>> upgrades =
                    IntStream.range(0, 3)
                            .mapToObj(i -> CompletableFuture.runAsync(() -> upgrade(url, NEXT)))
                            .toList();
            for (CompletableFuture<Void> upgrade : upgrades) {
                try {
                    upgrade.join();
                } catch (CompletionException late) {
                    // It was not open yet when the version was there.
                    assertThat(late).hasCauseInstanceOf(NewerSchema.class);
                }
            }
            assertThat(version(database)).isEqualTo(2);
            first.fail(first.deliveries().get(0), "later", Duration.ZERO);
            first.done(first.deliveries().get(1));
            ring.push("m10");
        }
        // All else is unchanged, so this version finds all that it has left.
        server.get().run("UPDATE " + database + ".slipring_schema SET version = 1");
        try (Slipring slipring = Slipring.open(url)) {
            assertThat(slipring.ring("r").stage().drain(delivery -> {})).isEqualTo(10);
            assertThat(slipring.ring("r").check()).isEmpty();
        }
    }

    /** Else it would put its own procedures in the place of those of the newer version. */
    @Test
    void leavesANewerVersionAloneThatWasMadeMeanwhile() throws Exception {
        String database = server.get().newDatabase();
        try (Connection newer = server.get().connect(database);
                Statement sql = newer.createStatement()) {
            sql.executeQuery("SELECT GET_LOCK('slipring_migrate', 0)").close();
            CompletableFuture<Void> opening =
                    CompletableFuture.runAsync(
                            () -> Slipring.open(server.get().url(database)).close());
            String waits =
                    "SELECT COUNT(*) FROM information_schema.processlist WHERE db = '"
                            + database
                            + "' AND state = 'User lock'";
            while (number(waits) == 0) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            sql.execute("CREATE TABLE slipring_schema (id INT PRIMARY KEY, version INT)");
            sql.execute("INSERT INTO slipring_schema VALUES (1, 7)");
            sql.executeQuery("SELECT RELEASE_LOCK('slipring_migrate')").close();
            assertThatThrownBy(() -> opening.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NewerSchema.class);
        }
        String made = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '";
        assertThat(number(made + database + "'")).isEqualTo(1);
    }

    @Test
    void anOlderVersionIsNotWorkedWith() throws SQLException {
        String database = server.get().newDatabase();
        Options there = Options.url(server.get().url(database));
        try (Slipring slipring = Slipring.open(there)) {
            slipring.create(RingSpec.named("r"));
        }
        String set = "UPDATE " + database + ".slipring_schema SET version = ";
        server.get().run(set + 0);
        try (Slipring slipring = Slipring.open(there.withoutMigration());
                Connection caller = server.get().connect(database)) {
            caller.setAutoCommit(false);
            assertThat(slipring.schema().installed()).isZero();
            String words = "has no schema of Slipring, this Slipring works with schema 1";
            assertThatThrownBy(slipring::rings)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(words);
            assertThatThrownBy(() -> slipring.ring("r").push("x")).hasMessageContaining(words);
            assertThatThrownBy(() -> slipring.store().join(caller)).hasMessageContaining(words);
            server.get().run(set + 1);
            slipring.ring("r").push("x");
            assertThat(slipring.ring("r").info().pushed()).isEqualTo(1);
        }
    }
}
