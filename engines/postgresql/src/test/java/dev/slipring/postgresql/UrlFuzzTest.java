// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.kit.UrlFuzz;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

class UrlFuzzTest {

    private static final String SCHEME = "postgresql://";
    private static final List<String> SCHEMES =
            List.of(SCHEME, "postgres://", "jdbc:postgresql://", "jdbc:postgresql:");
    private static final List<String> OPTIONS =
            List.of(
                    "?password=hush",
                    "&password=hush",
                    "?user=me",
                    "&sslmode=never",
                    "?connectTimeout=soon",
                    "?ssl",
                    "&=",
                    "?%zz");

    /** The driver's logger, which would warn of every wrong port. */
    private static final Logger DRIVER = Logger.getLogger("org.postgresql.util");

    @BeforeAll
    static void quietly() {
        DRIVER.setLevel(Level.SEVERE);
    }

    @AfterAll
    static void aloud() {
        DRIVER.setLevel(null);
    }

    @Test
    void connectionsAreKeptAliveUnlessTheUrlSaysOtherwise() {
        assertThat(source("").getTcpKeepAlive()).isTrue();
        assertThat(source("?tcpKeepAlive=false").getTcpKeepAlive()).isFalse();
    }

    private static PGSimpleDataSource source(String options) {
        return (PGSimpleDataSource)
                PostgresUrl.parse(SCHEME + "host/database" + options).dataSource();
    }

    /** The driver would ignore a misspelt option, and go on without what it was meant to do. */
    @Test
    void aMisspeltOptionIsRefused() {
        PostgresUrl url = PostgresUrl.parse(SCHEME + "host/database?sslmod=verify-full&user=me");
        assertThatThrownBy(url::dataSource)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no option 'sslmod'");
        assertThatThrownBy(
                        () ->
                                new PostgresEngine()
                                        .open(Opening.of("postgresql://localhost/x?sslmode=bogus")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sslmode is one of disable, ");
        assertThatThrownBy(
                        () ->
                                new PostgresEngine()
                                        .open(Opening.of("postgresql://no-host.invalid/x")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("the host of no-host.invalid/x is not known here");
    }

    /** The driver would also log it. */
    @Test
    void whatMayBeAPasswordIsNotQuoted() {
        for (String rest :
                List.of(
                        "me:hush/db",
                        "me@host:hush/db",
                        "one:1,two:hush/db",
                        "host:1;databaseName=db;password=hush",
                        "me:pa/ss?hush&x@host/db",
                        "me:pa/ss?hush@host/db",
                        "host/db?password=a&hush=b&user=me",
                        "host/db?password=a&hush")) {
            assertThatThrownBy(() -> Slipring.open(SCHEME + rest))
                    .as(rest)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("hush");
        }
    }

    /** The driver fails at it with an error of Java. */
    @Test
    void onlyACommaIsNoHost() {
        assertThatThrownBy(PostgresUrl.parse(SCHEME + ",/database")::dataSource)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PostgreSQL's driver cannot read ',/database'");
    }

    @Test
    void everyUrlIsReadOrRefusedInWords() {
        UrlFuzz.run(
                UrlFuzz.servers(SCHEMES, OPTIONS),
                url -> {
                    PostgresUrl parsed = PostgresUrl.parse(url);
                    parsed.dataSource();
                    assertThat(parsed.toString())
                            .startsWith(SCHEME)
                            .doesNotContain(UrlFuzz.PASSWORD);
                });
    }
}
