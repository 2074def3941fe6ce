// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A stage that is changed while a claim of it is half done. */
@Timeout(120)
class HalfDoneTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Stage stage;
    private Connection caller;

    @BeforeEach
    void open() throws SQLException {
        StageSpec spec = StageSpec.named("main").lease(Duration.ofHours(1)).tries(1);
        Ring ring = database.ring(1, spec);
        for (String text : new String[] {"a", "b", "c"}) {
            ring.push(text);
        }
        stage = ring.stage();
        caller = database.connect();
        caller.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        caller.close();
    }

    private void leaseIs(Duration lease) {
        stage = stage.redeclare(stage.spec().lease(lease));
    }

    /** Lets a lease of a millisecond pass that began now. */
    private void aMomentPasses() throws SQLException {
        try (Statement statement = caller.createStatement()) {
            statement.execute("SELECT pg_sleep(0.01)");
        }
    }

    /**
     * A session that looked for everything just now takes only what is new. What another one set
     * aside since, of a claim that a rewind took from it, is not new.
     */
    @Test
    void whatWasSetAsideIsNotNewBehindARewind() throws SQLException {
        Claim claim = stage.claim(3, Duration.ZERO);
        claim.fail(claim.deliveries().get(1), "no");
        stage.rewind(Start.OLDEST);
        String calm = "slipring.take_{ring}('main', 9, 'w', NULL, NULL, 0, true)";
        assertThat(database.text("SELECT positions FROM " + calm + " WHERE status = 'claimed'"))
                .isEqualTo("{0,1,2,3}");
    }

    /** The lease of a stage that is declared anew holds for claims and extensions from then on. */
    @Test
    void aLeaseThatATransactionExtendedDoesNotBecomeShorter() throws SQLException {
        Claim claim = stage.claim(3, Duration.ZERO);
        database.slipring().ring("r").join(caller).extend(claim);
        leaseIs(Duration.ofMillis(1));
        aMomentPasses();
        database.slipring().ring("r").join(caller).done(claim);
        caller.commit();
        assertThat(stage.claim(3, Duration.ZERO).isEmpty()).isTrue();
        assertThat(database.slipring().ring("r").check()).isEmpty();
    }

    @Test
    void whatWasSaidInTimeCountsWhateverTheLeaseIsThen() throws SQLException {
        Claim claim = stage.claim(3, Duration.ZERO);
        database.slipring().ring("r").join(caller).extend(claim);
        aMomentPasses();
        database.slipring().ring("r").join(caller).done(claim, claim.deliveries().get(0));
        leaseIs(Duration.ofMillis(1));
        caller.commit();
        assertThat(stage.claim(3, Duration.ZERO).isEmpty()).isTrue();
        claim.done();
        assertThat(database.slipring().ring("r").info().stage("main").lag()).isZero();
    }

    /**
     * A claim that ran out, and of which a transaction speaks that is still open, is no reason to
     * look again at once, time after time.
     */
    @Test
    void nobodyLooksAllTheTimeForWhatATransactionSpeaksOf() throws SQLException {
        Claim claim = stage.claim(3, Duration.ZERO);
        database.slipring().ring("r").join(caller).done(claim);
        database.run(
                "UPDATE slipring.strand SET expires = now() - interval '1 minute', hands = ARRAY("
                        + "SELECT ROW(h.epoch, h.retry, h.held, h.attempt, h.worker,"
                        + " now() - interval '1 minute', h.said)::slipring.hand"
                        + " FROM unnest(hands) h)");
        assertThat(
                        database.text(
                                "SELECT status || coalesce(next_ms, -1) FROM slipring.claim_slots("
                                        + "'r', 'main', 1, 'w', NULL, NULL, NULL, NULL, NULL, NULL,"
                                        + " NULL, NULL, NULL)"))
                .isEqualTo("nothing-1");
    }
}
