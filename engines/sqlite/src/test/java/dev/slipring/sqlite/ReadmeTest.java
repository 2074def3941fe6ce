// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Workers;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The Java of the README, run. */
class ReadmeTest {

    private final Set<String> alerted = ConcurrentHashMap.newKeySet();

    @Test
    void theReadmeRuns(@TempDir Path folder) throws Exception {
        String file = folder.resolve("quakes.db").toString();

        // README: ring
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring quakes =
                    slipring.create(
                            RingSpec.named("quakes")
                                    .graph(FanOut.to("locate").and("grade").then("alert")));

            try (Workers locate = quakes.stage("locate").work(2, quake -> locate(quake.text()));
                    Workers grade = quakes.stage("grade").work(2, quake -> grade(quake.text()));
                    Workers alert = quakes.stage("alert").work(1, quake -> alert(quake.text()))) {
                quakes.push("M 6.4 - 22km NNE of Hualian, Taiwan");
                quakes.push(Message.of("M 1.2 - 8km W of Cobb").key("nc").header("net", "nc"));
                quakes.drain(Duration.ofSeconds(10));
            }
        }
        // README: end

        assertThat(alerted).hasSize(2);
        join(file);
    }

    private void join(String file) throws Exception {
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE account (id INTEGER, balance INTEGER)");
            Ring orders = slipring.create(RingSpec.named("orders"));

            // README: join
            connection.setAutoCommit(false);
            sql.executeUpdate("INSERT INTO account VALUES (1, 100)");
            orders.join(connection).push(Message.of("account 1 was opened"));
            connection.commit();
            // README: end

            assertThat(orders.info().pushed()).isEqualTo(1);
        }
    }

    private void locate(String quake) {
        assertThat(quake).contains(" of ");
    }

    private void grade(String quake) {
        assertThat(quake).startsWith("M ");
    }

    private void alert(String quake) {
        alerted.add(quake);
    }
}
