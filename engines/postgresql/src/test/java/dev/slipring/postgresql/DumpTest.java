// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipring.Claim;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.DebianPostgres;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A dump of a ring, made while it is in use, and restored into a new cluster. */
class DumpTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir Path folder;

    @BeforeEach
    void isThere() {
        assumeTrue(
                DebianPostgres.isInstalled(),
                "needs the programs of Debian's PostgreSQL 15: apt install postgresql-15");
    }

    private DebianPostgres server(String name) throws IOException, InterruptedException {
        return new DebianPostgres(Files.createDirectory(folder.resolve(name)));
    }

    @Test
    void goesOnInANewCluster() throws Exception {
        DebianPostgres.giveAway(folder);
        Path dump = folder.resolve("dump.sql");
        List<String> before = new ArrayList<>();
        Set<String> pushed = ConcurrentHashMap.newKeySet();
        try (DebianPostgres old = server("old");
                Slipring slipring = Slipring.open(old.url("postgres"))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("r")
                                    .graph(StageSpec.named("main").lease(LEASE).tries(2)));
            for (int i = 0; i < 20; i++) {
                ring.push("before-" + i);
                before.add("before-" + i);
            }
            Claim done = ring.stage().claim(5, Duration.ZERO);
            done.fail(done.deliveries().get(0), "no", Duration.ZERO);
            done.done();
            done.deliveries().forEach(delivery -> before.remove(delivery.text()));
            Claim again = ring.stage().claim(1, Duration.ZERO);
            again.fail(again.deliveries().get(0), "no");
            // The claim of a worker that will never report on it.
            ring.stage().claim(5, Duration.ZERO);
            Thread pusher = new Thread(() -> pushUntilInterrupted(ring, pushed));
            pusher.start();
            try {
                DebianPostgres.run("pg_dump", "-d", old.url("postgres"), "-f", dump.toString());
            } finally {
                pusher.interrupt();
                pusher.join();
            }
            assertThat(pushed).isNotEmpty();
        }
        try (DebianPostgres young = server("young")) {
            DebianPostgres.run(
                    "psql",
                    "-q",
                    "-v",
                    "ON_ERROR_STOP=1",
                    "-d",
                    young.url("postgres"),
                    "-f",
                    dump.toString());
            goesOn(young.url("postgres"), before, pushed);
        }
    }

    private static void pushUntilInterrupted(Ring ring, Set<String> pushed) {
        for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
            ring.push("during-" + i);
            pushed.add("during-" + i);
        }
    }

    private static void goesOn(String url, List<String> before, Set<String> pushed) {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (Slipring slipring = Slipring.open(url)) {
            Ring ring = slipring.ring("r");
            assertThat(ring.check()).isEmpty();
            assertThat(ring.info().stages().get(0).dead()).isEqualTo(1);
            List<String> after = new ArrayList<>();
            try (Workers workers = ring.stage().work(2, delivery -> seen.add(delivery.text()))) {
                for (int i = 0; i < 50; i++) {
                    ring.push("after-" + i);
                    after.add("after-" + i);
                }
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
            }
            assertThat(seen).containsAll(before).containsAll(after);
            seen.removeAll(before);
            seen.removeAll(after);
            // The dump has the first part of what was pushed meanwhile.
            assertThat(pushed).containsAll(seen);
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * A dump of the schema alone restores no schema to work with, and none that could be made anew
     * beside it.
     */
    @Test
    void ofTheSchemaOnlyIsToldApart() throws Exception {
        DebianPostgres.giveAway(folder);
        Path dump = folder.resolve("dump.sql");
        try (DebianPostgres server = server("one")) {
            String from = server.url("postgres");
            String to = server.url("template1");
            Slipring.open(from).close();
            DebianPostgres.run("pg_dump", "-s", "-d", from, "-f", dump.toString());
            DebianPostgres.run("psql", "-q", "-d", to, "-f", dump.toString());
            for (Options options : List.of(Options.url(to), Options.url(to).withoutMigration())) {
                assertThatThrownBy(() -> Slipring.open(options).close())
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("without its data")
                        .hasMessageContaining("DROP SCHEMA slipring CASCADE");
            }
            try (Connection connection = Server.connect(to);
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("SELECT slipring.create('r')"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("without its data");
                statement.execute("DROP SCHEMA slipring CASCADE");
            }
            try (Slipring slipring = Slipring.open(to)) {
                slipring.create(RingSpec.named("r")).push("x");
            }
        }
    }
}
