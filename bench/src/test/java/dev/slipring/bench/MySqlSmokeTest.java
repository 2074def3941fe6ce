// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads on MySQL, and the forms of a URL that names a user. */
class MySqlSmokeTest extends ServerSmoke {

    private static final String CODED = "a+b%26c%3Dd%40e%2Ff%25g";

    MySqlSmokeTest() {
        super(ServerFiles.MYSQL_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop:" + CODED + "@PLACE", "PLACE?user=shop&password=" + CODED})
    void allSystemsFindTheUserThatTheUrlNames(String form) throws Exception {
        server().run("CREATE USER IF NOT EXISTS shop IDENTIFIED BY 'a+b&c=d@e/f%g'");
        server().run("GRANT ALL ON *.* TO shop");
        String place = "127.0.0.1:" + server().port() + "/" + server().newDatabase();
        assertThat(run("cycle", "mysql://" + form.replace("PLACE", place)))
                .extracting(row -> row.get("system").asText())
                .contains("slipring", "naive");
    }

    @Test
    void whoMayMakeNoDatabaseIsToldWhatIsMissing() {
        String database = server().newDatabase();
        server().run("CREATE USER poor IDENTIFIED BY 'poor'");
        server().run("GRANT ALL ON " + database + ".* TO poor");
        String url = server().url(database).replace("root@", "poor:poor@");
        assertThatThrownBy(() -> run("cycle", url))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("GRANT ALL ON `slipring\\_bench\\_%`.*");
        server().run("GRANT ALL ON `slipring\\_bench\\_%`.* TO poor");
        assertThatCode(() -> run("cycle", url)).doesNotThrowAnyException();
    }
}
