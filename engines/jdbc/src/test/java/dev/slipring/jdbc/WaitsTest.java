// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;
import dev.slipring.engine.Waits.Wait;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a server waits for, by its own figures. */
class WaitsTest {

    @BeforeEach
    void runsHere() {
        ServerFiles.MARIADB_11.whyNot().ifPresent(Assumptions::abort);
    }

    @Test
    void aBusyServerSaysSo() throws Exception {
        try (Server server = Server.start(ServerFiles.MARIADB_11, "--performance-schema=ON")) {
            String url = server.url(server.newDatabase());
            AtomicBoolean over = new AtomicBoolean();
            try (Slipring slipring = Slipring.open(url);
                    Waits waits = Engines.byUrl(url).waits(Opening.of(url))) {
                Ring ring = slipring.create(RingSpec.named("busy"));
                Thread pushing =
                        new Thread(
                                () -> {
                                    while (!over.get()) {
                                        ring.push("x");
                                    }
                                });
                pushing.start();
                List<Wait> found = List.of();
                // In one second a slow machine may push nothing.
                for (int i = 0; i < 60 && found.stream().noneMatch(WaitsTest::isOfATable); i++) {
                    found = waits.over(Duration.ofSeconds(1));
                }
                over.set(true);
                pushing.join();
                assertThat(found)
                        .anySatisfy(
                                wait -> {
                                    assertThat(isOfATable(wait)).isTrue();
                                    assertThat(wait.count()).isPositive();
                                    assertThat(wait.time()).isPositive();
                                    assertThat(wait.time()).isLessThan(Duration.ofMinutes(1));
                                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void whoMayNotLookIsToldWhatHeNeeds(ServerFiles files) throws Exception {
        files.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(files, "--performance-schema=ON")) {
            String database = server.newDatabase();
            try (Connection root = server.connect(database);
                    Statement sql = root.createStatement()) {
                // The server was started without grants; from here on it looks at them.
                sql.execute("FLUSH PRIVILEGES");
                sql.execute("CREATE USER poor@'%' IDENTIFIED BY 'p'");
                sql.execute("GRANT ALL ON " + database + ".* TO poor@'%'");
            }
            String url = server.url(database).replaceFirst("//[^@]*@", "//poor:p@");
            try (Waits waits = Engines.byUrl(url).waits(Opening.of(url))) {
                assertThatThrownBy(() -> waits.over(Duration.ofMillis(1)))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("the user needs SELECT on performance_schema");
            }
        }
    }

    private static boolean isOfATable(Wait wait) {
        return wait.name().contains("io/table");
    }
}
