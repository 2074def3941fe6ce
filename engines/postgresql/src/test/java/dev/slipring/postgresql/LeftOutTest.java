// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.kit.Keys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lane that others lock now and then, while a claim looks for old messages and for new ones. */
class LeftOutTest {

    private static final int RINGS = 100;
    private static final Duration LEASE = Duration.ofMillis(50);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void whatRanOutComesBeforeWhatIsNewInItsLane() throws Exception {
        try (Slipring slipring = Slipring.open(database.url())) {
            List<Ring> rings = new ArrayList<>();
            for (int i = 0; i < RINGS; i++) {
                Ring ring =
                        slipring.create(
                                RingSpec.named("r" + i)
                                        .lanes(1)
                                        .graph(StageSpec.named("main").lease(LEASE)));
                ring.push("old");
                ring.push("new");
                rings.add(ring);
                assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
            }
            TimeUnit.NANOSECONDS.sleep(2 * LEASE.toNanos());
            for (Ring ring : rings) {
                AtomicBoolean over = new AtomicBoolean();
                CompletableFuture<Void> other =
                        CompletableFuture.runAsync(() -> haveNowAndThen(ring.name(), over));
                Claim claim = ring.stage().claim(1, Duration.ofSeconds(20));
                over.set(true);
                other.join();
                assertThat(claim.deliveries().get(0).text()).isEqualTo("old");
            }
        }
    }

    /**
     * The same where somebody gives the lane back at a certain moment: the claim has left it out
     * when it looked for what ran out, and is at what is new, in the other lane. It has nothing to
     * hand out there, and is stopped when it writes down that it has passed a dead letter.
     */
    @Test
    void aLaneThatWasLeftOutGivesNothingNew() throws Exception {
        StageSpec main = StageSpec.named("main").tries(1);
        RingSpec spec = RingSpec.named("r").lanes(2);
        Ring ring =
                database.slipring()
                        .create(spec.graph(List.of(main, StageSpec.named("other")), Map.of()));
        ring.push(Message.of("dead").key(Keys.of(1, 2)));
        Claim dead = ring.stage("main").claim(1, Duration.ZERO);
        dead.fail(dead.deliveries().get(0), "no");
        ring.stage("main").rewind(Start.OLDEST);
        ring.stage("main").redeclare(main.tries(2));
        ring.push(Message.of("old").key(Keys.of(0, 2)));
        ring.push(Message.of("new").key(Keys.of(0, 2)));
        assertThat(database.text(statusOfAClaim(0))).isEqualTo("claimed");
        database.run(
                "UPDATE slipring.strand SET expires = now(), hands = ARRAY(SELECT ROW(h.epoch,"
                        + " h.retry, h.held, h.attempt, h.worker, now(), h.said)::slipring.hand"
                        + " FROM unnest(hands) h) WHERE cardinality(hands) > 0");
        database.run(
                "CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;"
                        + " CREATE TRIGGER stop BEFORE INSERT ON slipring.strand FOR EACH ROW"
                        + " WHEN (NEW.lane = 1) EXECUTE FUNCTION stop()");
        try (Statement other = database.other().createStatement()) {
            String lane = database.of("(slipring.strand_lock({ring}, 'main', 0))");
            other.execute("SELECT pg_advisory_lock(1), pg_advisory_lock" + lane);
            CompletableFuture<String> claim = CompletableFuture.supplyAsync(() -> claim(1));
            database.awaitWaiting(1, "locktype = 'advisory'", claim);
            other.execute("SELECT pg_advisory_unlock" + lane);
            other.execute("SELECT pg_advisory_unlock(1)");
            assertThat(claim.get(1, TimeUnit.MINUTES)).isEqualTo("busy");
        }
    }

    private static String statusOfAClaim(int firstLane) {
        return "SELECT status FROM slipring.claim_slots('r', 'main', 1, 'w', NULL, NULL, NULL,"
                + " NULL, NULL, NULL, NULL, NULL, NULL, look_at => "
                + firstLane
                + ")";
    }

    private String claim(int firstLane) {
        try {
            return database.text(statusOfAClaim(firstLane));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a retry in front brought, and nobody has taken in yet, is in that lane. */
    @Test
    void aLaneWhereSomethingHasArrivedIsLeftOut() throws SQLException {
        StageSpec a = StageSpec.named("a").backoff(Duration.ZERO, Duration.ZERO);
        Slipring slipring = database.slipring();
        Ring ring = slipring.create(RingSpec.named("r").lanes(1).graph(a.then("b")));
        ring.push("x");
        Claim first = ring.stage("a").claim(1, Duration.ZERO);
        first.fail(first.deliveries().get(0), "no");
        assertThat(ring.stage("b").claim(1, Duration.ZERO).deliveries()).isEmpty();
        ring.stage("a").claim(1, Duration.ofSeconds(20)).done();
        checkLeftOut(slipring, "b");
    }

    /** So is what was said in a transaction, and nobody has taken in yet. */
    @Test
    void aLaneWhereSomethingWasSaidIsLeftOut() throws SQLException {
        Slipring slipring = database.slipring();
        StageSpec main = StageSpec.named("main").backoff(Duration.ZERO, Duration.ZERO);
        Ring ring = slipring.create(RingSpec.named("r").lanes(1).graph(main));
        ring.push("x");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).fail(claim, claim.deliveries().get(0), "no");
            caller.commit();
        }
        checkLeftOut(slipring, "main");
    }

    private void checkLeftOut(Slipring slipring, String stage) throws SQLException {
        ClaimRequest wish = new ClaimRequest(stage, 1, "w");
        try (Statement other = database.other().createStatement()) {
            String lane = "slipring.strand_lock({ring}, '" + stage + "', 0)";
            other.execute(database.of("SELECT pg_advisory_lock(" + lane + ")"));
            assertThat(slipring.store().claim("r", wish).leftOut()).isTrue();
            other.execute("SELECT pg_advisory_unlock_all()");
        }
        assertThat(slipring.store().claim("r", wish).deliveries()).hasSize(1);
    }

    /** Locks the lane and unlocks it, many times a millisecond. */
    private void haveNowAndThen(String ring, AtomicBoolean over) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            while (!over.get()) {
                statement.execute(
                        "DO $$ DECLARE key bigint := (SELECT slipring.strand_lock(id, 'main', 0)"
                                + " FROM slipring.ring WHERE name = '"
                                + ring
                                + "'); BEGIN FOR i IN 1..2000 LOOP PERFORM pg_advisory_lock(key);"
                                + " PERFORM count(*) FROM generate_series(1, 200);"
                                + " PERFORM pg_advisory_unlock(key);"
                                + " PERFORM count(*) FROM generate_series(1, 200);"
                                + " END LOOP; END $$");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
