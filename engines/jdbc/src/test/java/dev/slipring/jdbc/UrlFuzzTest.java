// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreUnreachable;
import dev.slipring.kit.UrlFuzz;

import org.junit.jupiter.api.Test;

import java.util.List;

class UrlFuzzTest {

    private static final List<String> SCHEMES =
            List.of(
                    "sqlserver://",
                    "jdbc:sqlserver://",
                    "mariadb://",
                    "jdbc:mariadb://",
                    "mysql://",
                    "jdbc:mysql://");
    private static final List<String> OPTIONS =
            List.of(
                    "?password=hush",
                    ";password={hush",
                    ";password={hush;}}b}",
                    ";databaseName=db",
                    "?slots=memory",
                    ";slots=tape",
                    "&user=me",
                    "?=",
                    ";x=%zz");

    /** The driver fails at some of these with an error of Java. */
    @Test
    void aHostThatIsMissingIsToldOf() {
        for (String hosts : List.of(",", ",h", "h,", "h:1,,h:2")) {
            assertThatThrownBy(() -> ServerUrl.parse("mariadb://" + hosts + "/x"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a host is missing");
        }
    }

    @Test
    void whatMayBeAPasswordIsNotQuoted() {
        for (String url :
                List.of(
                        "mariadb://me:hush/db",
                        "mysql://host/db?password=a&hush=b&user=me",
                        "mariadb://host/db?user=me&password=a&hush=b")) {
            assertThatThrownBy(() -> Slipring.open(url))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("hush");
        }
    }

    @Test
    void aHostThatIsNotKnownIsToldOf() {
        assertThatThrownBy(() -> Slipring.open("mariadb://no-host.invalid/x"))
                .isInstanceOf(StoreUnreachable.class)
                .hasMessage("the host of no-host.invalid/x is not known here");
    }

    @Test
    void everyUrlIsReadOrRefusedInWords() {
        UrlFuzz.run(
                UrlFuzz.servers(SCHEMES, OPTIONS),
                url -> {
                    ServerUrl parsed =
                            ServerUrl.accepts(url, "sqlserver")
                                    ? SqlServerUrl.parse(url)
                                    : ServerUrl.parse(url);
                    SqlServerUrl.wantsMemory(url);
                    assertThat(parsed.address()).contains("/");
                    assertThat(parsed.toString()).doesNotContain(UrlFuzz.PASSWORD);
                });
    }
}
