// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Engines;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** The URLs of SQL Server, those of Slipring and those of its driver. */
class SqlServerUrlTest {

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
        String url = "sqlserver://me@127.0.0.1:1/db";
        assertThat(String.join("", Engines.byUrl(url).scripts(url)))
                .doesNotContain("MEMORY_OPTIMIZED");
        assertThat(
                        String.join(
                                "",
                                Engines.byUrl(url + "?slots=memory")
                                        .scripts(url + "?slots=memory")))
                .contains("MEMORY_OPTIMIZED = ON");
    }
}
