// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Engines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.Properties;

/** The URLs of SQL Server, those of Slipring and those of its driver. */
class SqlServerUrlTest {

    private static final String URL = "sqlserver://me@127.0.0.1:1/db";

    @Test
    void bothFormsSayTheSame() {
        ServerUrl ours =
                SqlServerUrl.parse(
                        "sqlserver://me:a%3Bb%20c@host:1433/db?encrypt=true&slots=memory");
        assertThat(ours)
                .isEqualTo(new ServerUrl("host:1433/db", "me", "a;b c", Map.of("encrypt", "true")));
        for (String database : new String[] {"databaseName", "database", "DATABASENAME"}) {
            ServerUrl theirs =
                    SqlServerUrl.parse(
                            "jdbc:sqlserver://host:1433;"
                                    + database
                                    + "=db;user=me;password={a;b c};encrypt=true;slots=memory");
            assertThat(theirs).isEqualTo(ours);
        }
    }

    /** Within braces a closing brace is written twice; elsewhere braces stand for themselves. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a}}b} | a}b",
                "{a}};b} | a};b",
                "{a}}}  | a}",
                "{}}} | }",
                "{} | ''",
                "{{a;b} | {a;b",
                " {a;b}  | a;b",
                "a}b | a}b",
                "a{b | a{b",
            })
    void bracesAreReadAsTheDriverReadsThem(String written, String password) {
        ServerUrl url =
                SqlServerUrl.parse(
                        "jdbc:sqlserver://h;database=db;password=" + written + ";encrypt=true");
        assertThat(url.password()).isEqualTo(password);
        assertThat(url.options()).isEqualTo(Map.of("encrypt", "true"));
    }

    /**
     * The driver would hide that a connection was lost, and what Slipring remembers would outlive
     * it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "?connectRetryCount=3", "?CONNECTRETRYCOUNT=3"})
    void theDriverDoesNotConnectAgainByItself(String options) {
        Properties told = SqlServerDialect.properties(SqlServerUrl.parse(URL + options));
        assertThat(told).containsEntry("connectRetryCount", "0");
        assertThat(told.stringPropertyNames()).doesNotContain("CONNECTRETRYCOUNT");
        assertThat(told).containsEntry("databaseName", "db").containsEntry("user", "me");
    }

    @Test
    void slotsStandOnDiskOrInMemory() {
        assertThat(SqlServerUrl.wantsMemory("sqlserver://h/db")).isFalse();
        assertThat(SqlServerUrl.wantsMemory("sqlserver://h/db?slots=disk")).isFalse();
        assertThat(SqlServerUrl.wantsMemory("sqlserver://h/db?slots=memory")).isTrue();
        assertThat(SqlServerUrl.wantsMemory("jdbc:sqlserver://h;database=db;slots=memory"))
                .isTrue();
        assertThatThrownBy(() -> SqlServerUrl.wantsMemory("sqlserver://h/db?slots=tape"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slots=tape");
    }

    @Test
    void aDatabaseIsNamed() {
        for (String url :
                new String[] {
                    "sqlserver://h:1433", "sqlserver://h/", "jdbc:sqlserver://h;user=me"
                }) {
            assertThatThrownBy(() -> Slipring.open(url))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("names no database");
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        for (String url :
                new String[] {
                    "sqlserver://me:secret@127.0.0.1:1/db?loginTimeout=1&connectRetryCount=0",
                    "jdbc:sqlserver://127.0.0.1:1;databaseName=db;user=me;password=secret"
                            + ";loginTimeout=1;connectRetryCount=0"
                }) {
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("127.0.0.1:1/db cannot be reached")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void theScriptsAreThoseThatTheUrlAsksFor() {
        assertThat(scripts(URL))
                .doesNotContain("MEMORY_OPTIMIZED = ON")
                .endsWith("VALUES (1, 1);\nGO\n");
        assertThat(scripts(URL + "?slots=memory"))
                .contains("MEMORY_OPTIMIZED = ON")
                .endsWith("VALUES (1, 1);\nGO\n")
                .containsSubsequence("THROW 51000", "CREATE TABLE");
    }

    private static String scripts(String url) {
        return String.join("", Engines.byUrl(url).scripts(url));
    }
}
