// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.sql.SQLException;

/** What the errors of MariaDB and MySQL mean. */
class MySqlTroubleTest {

    private final Trouble trouble = new MySqlTrouble();

    private static SqlFailed failed(String said) {
        return new SqlFailed(new SQLException("(conn=149) " + said, "HY000", 1180));
    }

    /**
     * MySQL's group replication reports most conflicts with this number, and the others with
     * numbers of their own.
     */
    @Test
    void aCommitThatGivesWayToAnotherMemberIsADeadlock() {
        SqlFailed gaveWay =
                failed("Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT");
        assertThat(trouble.isRetryable(gaveWay)).isTrue();
        assertThat(trouble.inJoined(gaveWay, "h/db"))
                .hasMessageContaining("because of a deadlock; only its owner can retry it");
        SqlFailed other = failed("Got error 28 - 'No space left on device' during COMMIT");
        assertThat(trouble.isRetryable(other)).isFalse();
        assertThat(trouble.inJoined(other, "h/db")).hasMessageContaining("No space left");
    }

    /**
     * If a Galera node was cut off while it committed, the other nodes may have the transaction.
     */
    @Test
    void aCommitThatIsCutOffIsUnknown() {
        String cut = "Error while appending streaming replication fragment(provider status: ";
        assertThat(trouble.isStopped(failed(cut + "Not connected to Primary Component)"))).isTrue();
        assertThat(trouble.isStopped(failed("Got error 149 - 'Lock deadlock' during COMMIT")))
                .isFalse();
    }
}
