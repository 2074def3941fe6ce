// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The databases of a user that is no superuser are dropped or named, whoever is connected to them.
 */
class PostgresPlaceTest {

    private static EmbeddedPostgres server;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(3)).start();
        url = "postgresql://plain@127.0.0.1:" + server.getPort() + "/postgres";
        run("CREATE ROLE plain LOGIN CREATEDB");
        run("CREATE ROLE poor LOGIN");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean isThere(PostgresPlace place) {
        String sql = "SELECT count(*) FROM pg_database WHERE datname = '" + place.name() + "'";
        return PostgresPlace.text(url, sql).equals("1");
    }

    private static String swept() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Leftover.sweep(new PrintStream(said, true, StandardCharsets.UTF_8));
        return said.toString(StandardCharsets.UTF_8);
    }

    /**
     * A session that this user may not end is waited for, as one of the server's own processes that
     * cleans up would be.
     */
    @Test
    void whomOneMayNotEndIsWaitedFor() throws Exception {
        PostgresPlace place = PostgresPlace.on(url, "slipring");
        try (Connection superuser = server.getDatabase("postgres", place.name()).getConnection();
                Statement statement = superuser.createStatement()) {
            CompletableFuture<Void> closing = CompletableFuture.runAsync(place::close);
            statement.execute("SELECT pg_sleep(1)");
            assertThat(closing).isNotDone();
            superuser.close();
            closing.join();
        }
        assertThat(isThere(place)).isFalse();
        assertThat(swept()).isEmpty();
    }

    @Test
    void whatCannotBeDroppedIsNamed() throws Exception {
        PostgresPlace place = PostgresPlace.on(url, "slipring");
        try (Connection superuser = server.getDatabase("postgres", place.name()).getConnection()) {
            place.close();
            assertThat(isThere(place)).isTrue();
            assertThat(swept())
                    .contains("left over")
                    .contains("run: DROP DATABASE IF EXISTS " + place.name());
        }
        // It has been named once.
        assertThat(swept()).isEmpty();
    }

    @Test
    void whatCanBeDroppedLaterIsNotNamed() throws Exception {
        PostgresPlace place = PostgresPlace.on(url, "slipring");
        try (Connection superuser = server.getDatabase("postgres", place.name()).getConnection()) {
            place.close();
        }
        assertThat(swept()).isEmpty();
        assertThat(isThere(place)).isFalse();
    }

    @Test
    void whoMayMakeNoneIsToldSo() {
        assertThatThrownBy(() -> PostgresPlace.on(url.replace("plain", "poor"), "slipring"))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("CREATEDB");
    }

    @Test
    void thePasswordMayComeFromElsewhere() {
        assertThat(ServerAddress.of("postgresql://me@host/db", "unsaid").password())
                .isEqualTo("unsaid");
        assertThat(ServerAddress.of("postgresql://me:said@host/db", "unsaid").password())
                .isEqualTo("said");
        assertThat(ServerAddress.of("postgresql://host/db?password=said", "unsaid").password())
                .isEqualTo("said");
    }

    @Test
    void anotherDatabaseOfTheServer() {
        assertThat(ServerAddress.withDatabase("mysql://u:p@h:1/db?a=b/c", "x"))
                .isEqualTo("mysql://u:p@h:1/x?a=b/c");
        assertThat(ServerAddress.withDatabase("mysql://u:a/b@h/db", "x"))
                .isEqualTo("mysql://u:a/b@h/x");
        assertThat(ServerAddress.withDatabase("postgresql://h/db?user=a@b", "x"))
                .isEqualTo("postgresql://h/x?user=a@b");
    }
}
