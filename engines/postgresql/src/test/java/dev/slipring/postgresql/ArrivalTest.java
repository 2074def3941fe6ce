// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Ring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Two stages that are done with a message late, at the time at which the stage that follows both is
 * taking in what they were done with.
 */
@Timeout(120)
class ArrivalTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    private static StageSpec stage(String name) {
        return StageSpec.named(name).backoff(Duration.ZERO, Duration.ZERO);
    }

    private Claim claim(String stage, int most) {
        return ring.stage(stage).claim(most, Duration.ZERO);
    }

    private static List<String> texts(Claim claim) {
        return claim.deliveries().stream().map(Delivery::text).toList();
    }

    /** Has a change of a row wait for an advisory lock of this number. */
    private void stopAt(String when, String what, int number) throws SQLException {
        database.run(
                "CREATE FUNCTION public.stop_"
                        + number
                        + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF "
                        + what
                        + " THEN PERFORM pg_advisory_xact_lock("
                        + number
                        + "); END IF; RETURN coalesce(NEW, OLD); END $$;"
                        + " CREATE TRIGGER stop BEFORE "
                        + when
                        + " FOR EACH ROW EXECUTE FUNCTION public.stop_"
                        + number
                        + "()");
    }

    private void fails(String stage, String... texts) {
        Claim claim = claim(stage, 3);
        claim.deliveries().stream()
                .filter(message -> List.of(texts).contains(message.text()))
                .forEach(message -> claim.fail(message, "not yet"));
        claim.done();
    }

    /**
     * The join takes in "first", and goes on to look for what is due. Then one arm is done with
     * "both", and while the join takes that in, the other arm too.
     */
    @Test
    void whatBothArmsAreDoneWithComesOnce() throws Exception {
        ring = database.ring(1, FanOut.to(stage("left")).and(stage("right")).then(stage("last")));
        List.of("first", "both", "rest").forEach(ring::push);
        fails("left", "first", "both");
        fails("right", "both");
        Claim rest = claim("last", 3);
        assertThat(texts(rest)).containsExactly("rest");
        rest.done();
        claim("left", 1).done();
        Claim left = claim("left", 1);
        Claim right = claim("right", 1);
        assertThat(texts(left)).isEqualTo(texts(right)).containsExactly("both");
        stopAt("INSERT ON slipring.aside", "NEW.stage = 'last' AND NEW.position = 0", 1);
        stopAt("DELETE ON slipring.arrival", "OLD.stage = 'last' AND OLD.position = 1", 2);
        Claim claim;
        try (Connection other = database.connect();
                Statement sql = other.createStatement()) {
            sql.execute("SELECT pg_advisory_lock(1), pg_advisory_lock(2)");
            CompletableFuture<Claim> took = CompletableFuture.supplyAsync(() -> claim("last", 3));
            database.awaitWaiting(1, "locktype = 'advisory' AND objid = 1", took);
            left.done();
            sql.execute("SELECT pg_advisory_unlock(1)");
            database.awaitWaiting(1, "locktype = 'advisory' AND objid = 2", took);
            right.done();
            sql.execute("SELECT pg_advisory_unlock(2)");
            claim = took.join();
        }
        List<String> done = new ArrayList<>();
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            for (; !claim.isEmpty(); claim = claim("last", 3)) {
                ring.join(caller).done(claim);
                caller.commit();
                done.addAll(texts(claim));
            }
        }
        assertThat(done).containsExactly("first", "both");
        assertThat(ring.check()).isEmpty();
    }

    /**
     * What was done late, and nobody could take in yet, is not drained: it comes to the stage that
     * follows.
     */
    @Test
    void aDrainWaitsForWhatIsNotTakenInYet() throws Exception {
        ring = database.ring(1, stage("a").then(stage("b")));
        List.of("late", "rest").forEach(ring::push);
        fails("a", "late");
        claim("b", 3).done();
        try (Connection other = database.connect();
                Statement sql = other.createStatement()) {
            sql.execute(
                    "SELECT pg_advisory_lock(slipring.strand_lock(id, 'b', 0)) FROM slipring.ring");
            claim("a", 1).done();
            assertThat(ring.drain(Duration.ZERO)).as("while b's lane is in other hands").isFalse();
            assertThat(ring.info().stage("b").nextRetry()).isZero();
        }
        assertThat(texts(claim("b", 1))).containsExactly("late");
    }
}
