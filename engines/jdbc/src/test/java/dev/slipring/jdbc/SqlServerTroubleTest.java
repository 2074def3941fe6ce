// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.StoreUnreachable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;

/** The errors of SQL Server say what was wrong and what to do. */
class SqlServerTroubleTest {

    private final Trouble trouble = new SqlServerTrouble();

    private static SqlFailed failed(String state, int number) {
        return new SqlFailed(new SQLException("what the server says", state, number));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "51000 | does not have the settings that Slipring needs; run: what the server says",
                "1222 | keeps a transaction open",
                "18456 | look at the user and the password",
                "4060 | create it first",
                "208 | slipring migrate apply",
                "2812 | slipring migrate apply",
                "229 | permissions",
                "9002 | full",
                "3906 | read-only",
                "41368 | MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON",
                "41337 | MEMORY_OPTIMIZED_DATA",
                "8134 | nothing was stored (what the server says)",
            })
    void ours(int number, String words) {
        assertThat(trouble.explain(failed("S0001", number), "h/db"))
                .hasMessageContaining("h/db")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource({
        "1205, deadlock",
        "1222, LOCK_TIMEOUT",
        "3960, snapshot",
        "2627, snapshot",
        "2601, snapshot",
        "650, setTransactionIsolation",
        "3961, roll back",
        "3966, roll back",
        "41302, roll back",
        "41332, READ COMMITTED",
        "41333, READ COMMITTED"
    })
    void ofACaller(int number, String words) {
        assertThat(trouble.inJoined(failed("S0001", number), "h/db"))
                .hasMessageContaining(words)
                .hasMessageContaining("begin");
    }

    @Test
    void aLostConnectionIsNoMistakeOfTheStatement() {
        assertThat(trouble.explain(failed("08S01", 0), "h/db"))
                .hasMessageContaining("cannot be reached");
        SQLException certificate = new SQLException("PKIX path building failed", "08S01", 0);
        assertThat(trouble.explain(new SqlFailed(certificate), "h/db"))
                .hasMessageContaining("trustStore");
    }

    /** Some errors of a server that may work again later can be recognized only by their number. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                596, 6005, 40197, 615, 921, 922, 927, 941, 952, 976, 978, 982, 983, 988, 4221,
                10928, 10929, 18401, 40501, 40613, 49918, 49919, 49920
            })
    void aServerThatDoesNotWorkNowIsUnreachable(int number) {
        assertThat(trouble.explain(failed("S0001", number), "h/db"))
                .isInstanceOf(StoreUnreachable.class)
                .hasMessageContainingAll("h/db cannot be reached", "what the server says");
        assertThat(trouble.explain(failed("S0001", 18456), "h/db"))
                .isNotInstanceOf(StoreUnreachable.class);
    }

    /** A server that was started again says it of each database that it has not recovered yet. */
    @Test
    void aDatabaseThatIsNotThereMayBeLater() {
        assertThat(trouble.explain(failed("S0001", 4060), "h/db"))
                .isInstanceOf(StoreUnreachable.class)
                .hasMessageContainingAll("h/db", "not open yet", "create it first");
    }

    @Test
    void aCallerIsToldOfTheSettingThatSlotsInMemoryNeed() {
        assertThat(trouble.inJoined(failed("S0001", 41368), "h/db"))
                .hasMessageContaining("MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON");
    }

    @Test
    void whatTheServerAsksForIsRunAgain() {
        for (int number : new int[] {1204, 1205, 1222, 3960, 3961, 3966, 2627, 2601, 41302}) {
            assertThat(trouble.isRetryable(failed("40001", number))).as("" + number).isTrue();
        }
        assertThat(trouble.isRetryable(failed("S0001", 208))).isFalse();
    }
}
