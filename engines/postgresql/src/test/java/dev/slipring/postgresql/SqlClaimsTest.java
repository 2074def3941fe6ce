// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Claims in SQL that follow each other closely: they take new messages, and look for all others now
 * and then.
 */
@Timeout(60)
class SqlClaimsTest {

    private static final String ROUND =
            "SELECT slipring.done(claim) FROM slipring.claim('r') LIMIT 1";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Connection session;

    @BeforeEach
    void open() throws SQLException {
        database.slipring();
        session = database.connect();
        text("SELECT slipring.create('r', stages => '[{\"name\": \"s\", \"lease_ms\": 300}]')");
        text("SELECT slipring.push('r', 'first')");
        text(ROUND);
        // From here on the claims of this session take only new messages.
        assertThat(looked()).endsWith(" s");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    private String looked() throws SQLException {
        return text("SELECT current_setting('slipring.looked_' || id) FROM slipring.ring");
    }

    /** Makes it look as if this session had looked at everything just now. */
    private void calm() throws SQLException {
        text(
                "SELECT set_config('slipring.looked_' || id, extract(epoch FROM clock_timestamp())"
                        + " || ' s', false) FROM slipring.ring");
    }

    private String text(String sql) throws SQLException {
        try (Statement statement = session.createStatement()) {
            boolean rows = statement.execute(sql);
            try (ResultSet row = rows ? statement.getResultSet() : null) {
                return rows && row.next() ? row.getString(1) : null;
            }
        }
    }

    private String claim(int most) throws SQLException {
        return text(
                "SELECT string_agg(left(convert_from(body, 'UTF8'), 9) || length(body) || '@'"
                        + " || attempt, ' ' ORDER BY position) FROM slipring.claim('r', most => "
                        + most
                        + ")");
    }

    @Test
    void whatRanOutComesInTheMidstOfNews() throws SQLException {
        text("SELECT slipring.push('r', 'lost')");
        assertThat(claim(1)).isEqualTo("lost4@1");
        String got = "";
        while (!"lost4@2".equals(got)) {
            text("SELECT slipring.push('r', 'news')");
            got = claim(1);
        }
    }

    @Test
    void whatFailedComesAtOnce() throws SQLException {
        text("SELECT slipring.push('r', 'bad')");
        text(
                "SELECT slipring.fail(claim, position, 'no', retry_after => '0')"
                        + " FROM slipring.claim('r')");
        assertThat(looked()).isEmpty();
        assertThat(claim(1)).isEqualTo("bad3@2");
    }

    @Test
    void whatIsGivenBackComesAtOnce() throws SQLException {
        text("SELECT slipring.push('r', 'back')");
        text("SELECT slipring.give_back(claim) FROM slipring.claim('r')");
        assertThat(claim(1)).isEqualTo("back4@1");
    }

    /** Slots of several pieces, of whose messages a claim may take only some. */
    @Test
    void largeBodiesComeWhole() throws SQLException {
        text(
                "SELECT slipring.push_all('r', ARRAY[repeat('a', 50000), 'b', repeat('c', 9000),"
                        + " repeat('d', 70000)])");
        text("SELECT slipring.push_all('r', ARRAY['e', repeat('f', 9000)])");
        calm();
        assertThat(claim(3)).isEqualTo("aaaaaaaaa50000@1 b1@1 ccccccccc9000@1");
        calm();
        assertThat(claim(9)).isEqualTo("ddddddddd70000@1 e1@1 fffffffff9000@1");
    }

    /** Claims that look only for new messages leave none behind. */
    @Test
    void everythingComesOnce() throws SQLException {
        for (int i = 0; i < 300; i++) {
            text("SELECT slipring.push('r', 'm" + i + "')");
        }
        int done = 0;
        while (text(ROUND) != null) {
            done++;
        }
        assertThat(done).isEqualTo(300);
        assertThat(database.slipring().ring("r").info().heldMessages()).isZero();
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    /** Behind a pooler a session may have anybody's settings. */
    @Test
    void whatOthersHaveSetDoesNotMatter() throws SQLException {
        for (String odd :
                List.of("x s", "1 s", "", " ", "99999999999999999999.000000 s", "1.000000 t")) {
            text("SELECT slipring.push('r', 'x')");
            text(
                    "SELECT set_config('slipring.looked_' || id, '"
                            + odd
                            + "', false) FROM slipring.ring");
            assertThat(text(ROUND)).as(odd).isEqualTo("0");
        }
    }

    @Test
    void theCallersTransactionStaysAsDurableAsItWas() throws SQLException {
        session.setAutoCommit(false);
        calm();
        text("SELECT slipring.claim('r')");
        assertThat(text("SHOW synchronous_commit")).isEqualTo("on");
        session.commit();
    }

    /**
     * A client that is stopped while a large claim is sent to it keeps the lane for a minute at
     * most, and not for as long as it is stopped.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoDoesNotTakeWhatHeClaimedIsNotWaitedForWithoutEnd(boolean calm) throws SQLException {
        text("SELECT slipring.push('r', repeat('x', 100000))");
        text("SELECT set_config('slipring.looked_' || id, '', false) FROM slipring.ring");
        if (calm) {
            calm();
        }
        session.setAutoCommit(false);
        assertThat(claim(1)).contains("100000@");
        boolean counted = text("SELECT version()").contains("linux");
        assertThat(text("SHOW tcp_user_timeout")).isEqualTo(counted ? "60000" : "0");
        session.commit();
        assertThat(text("SHOW tcp_user_timeout")).isEqualTo("0");
    }
}
