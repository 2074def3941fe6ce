// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Transactions in SQL that look at the ring behind their own reports, and so take these in, before
 * they are rolled back or committed.
 */
@Timeout(60)
class TakenBackTest {

    private static final String CLAIM = "SELECT claim FROM slipring.claim('r', most => 9) LIMIT 1";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Connection session;

    @BeforeEach
    void open() throws SQLException {
        database.slipring();
        session = database.connect();
        text("SELECT slipring.create('r', lanes => 1, messages => 3)");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    private String text(String sql) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private void push(String bodies) throws SQLException {
        text("SELECT slipring.push_all('r', '" + bodies + "'::text[])");
    }

    /** Reports in a transaction that stays open, and looks. */
    private void doneAndInfo(String claim) throws SQLException {
        text("SELECT slipring.done('" + claim + "')");
        assertThat(text("SELECT lag FROM slipring.info('r')")).isEqualTo("0");
    }

    @Test
    void aDoneThatIsTakenBackIsNoRoom() throws SQLException {
        push("{a, b, c}");
        String claim = text(CLAIM);
        session.setAutoCommit(false);
        doneAndInfo(claim);
        session.rollback();
        session.setAutoCommit(true);
        assertThat(text("SELECT count(*) FROM slipring.messages('r')")).isEqualTo("3");
        assertThatThrownBy(() -> push("{d}")).hasMessageContaining("is full");
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    @Test
    void aPushThatIsDoneAndTakenBackLeavesNothing() throws SQLException {
        session.setAutoCommit(false);
        push("{a, b, c}");
        doneAndInfo(text(CLAIM));
        session.rollback();
        session.setAutoCommit(true);
        assertThat(text("SELECT lag FROM slipring.info('r')")).isEqualTo("0");
        push("{d, e}");
        assertThat(text("SELECT min(position) FROM slipring.messages('r')")).isEqualTo("0");
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    @Test
    void aDoneThatIsCommittedIsRoom() throws SQLException {
        push("{a, b, c}");
        String claim = text(CLAIM);
        session.setAutoCommit(false);
        doneAndInfo(claim);
        session.commit();
        session.setAutoCommit(true);
        assertThat(text("SELECT count(*) FROM slipring.messages('r')")).isEqualTo("0");
        push("{d, e, f}");
        assertThat(text("SELECT lag FROM slipring.info('r')")).isEqualTo("3");
    }

    /** Else whoever takes from one ring and pushes to another might find that one full for ever. */
    @Test
    void aDoneKeepsNoGateOfAnotherRing() throws SQLException {
        text("SELECT slipring.create('other', lanes => 1, messages => 1)");
        text("SELECT slipring.push('other', 'taken')");
        String taken = text("SELECT claim FROM slipring.claim('other')");
        text("SELECT slipring.done('" + taken + "')");
        text("SELECT claim FROM slipring.claim('other')");
        // As if two stages had been done at the same time.
        text("SELECT setval(gates[1], 0) FROM slipring.ring WHERE name = 'other'");
        push("{a}");
        String claim = text(CLAIM);
        session.setAutoCommit(false);
        text("SELECT slipring.done('" + claim + "')");
        text("SELECT slipring.push('other', 'b')");
        session.commit();
        assertThat(text("SELECT body FROM slipring.messages('other')")).isEqualTo("b");
    }
}
