// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.NotInHand;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Promise 3: every stage gets every message until it is done or dead; what ran out or is due comes
 * first.
 */
public interface P03AtLeastOnce extends Promise {

    /** A worker dies: after the lease its claim moves on, not before. */
    @Test
    default void aDeadWorkersClaimMovesOn() {
        Ring ring = ring("moves", briefStage("main"));
        push(ring, 3);
        Claim dead = claim(ring.stage(), 3);
        assertThat(claim(ring.stage(), 3).isEmpty()).isTrue();
        leasesRunOut();
        assertThat(takeAll(ring.stage())).containsExactlyElementsOf(texts(dead));
        assertThat(ring.info().stages().get(0).redelivered()).isEqualTo(3);
    }

    /** With fewer tries, what failed as often before is dead once it is due, of its own failure. */
    @Test
    default void whatHasFailedOftenEnoughByNowIsDead() {
        Ring ring = ring("fewer", stage("main").tries(9));
        push(ring, 1);
        for (int i = 0; i < 3; i++) {
            Claim claim = claim(ring.stage(), 1);
            claim.fail(claim.deliveries().get(0), "no customer", Duration.ZERO);
        }
        ring.stage().redeclare(ring.stage().spec().tries(2));
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        assertThat(ring.info().stage("main").failed()).isEqualTo(3);
        DeadLetter letter = ring.stage().deadLetters(1).get(0);
        assertThat(letter.error()).isEqualTo("no customer");
        assertThat(letter.delivery().attempt()).isEqualTo(3);
    }

    /** A steady stream does not starve a claim that ran out. */
    @Test
    default void aStreamDoesNotStarveWhatRanOut() {
        Ring ring = ring("stream", briefStage("main"));
        push(ring, 1);
        claim(ring.stage(), 1);
        leasesRunOut();
        push(ring, 100);
        Claim next = claim(ring.stage(), 1);
        assertThat(next.deliveries().get(0).attempt()).isEqualTo(2);
    }

    /** A steady stream does not starve a retry that is due. */
    @Test
    default void aStreamDoesNotStarveARetry() {
        Ring ring = ring("retry");
        push(ring, 1);
        Claim claim = claim(ring.stage(), 1);
        claim.fail(claim.deliveries().get(0), "not today");
        push(ring, 100);
        retriesComeDue();
        assertThat(claim(ring.stage(), 1).deliveries().get(0).attempt()).isEqualTo(2);
    }

    /** Of what ran out and what is due, what has waited longest comes first. */
    @Test
    default void neitherALeaseNorARetryKeepsTheOtherWaiting() {
        Ring ring = ring("longest", briefStage("main"));
        push(ring, 4);
        Claim early = claim(ring.stage(), 1);
        claim(ring.stage(), 1);
        early.fail(early.deliveries().get(0), "no", Duration.ofMillis(1));
        leasesRunOut();
        Claim due = claim(ring.stage(), 1);
        Claim ranOut = claim(ring.stage(), 1);
        assertThat(texts(due)).containsExactly("0");
        assertThat(texts(ranOut)).containsExactly("1");

        Claim late = claim(ring.stage(), 1);
        claim(ring.stage(), 1);
        due.done();
        ranOut.done();
        late.fail(late.deliveries().get(0), "no", bed().lease(slipring()).plusMillis(100));
        leasesRunOut();
        retriesComeDue();
        assertThat(texts(claim(ring.stage(), 1))).containsExactly("3");
        assertThat(texts(claim(ring.stage(), 1))).containsExactly("2");
    }

    /**
     * In an ordered stage, a lane whose message fails again and again leaves the other lanes their
     * turn.
     */
    @Test
    default void noLaneKeepsTheOthersWaiting() {
        StageSpec stage = stage("main").ordered().tries(1_000);
        Ring ring = slipring().create(RingSpec.named("turns").lanes(2).graph(stage));
        for (int i = 0; i < 20; i++) {
            ring.push(Message.of("" + i).key("key" + i));
        }
        List<Claim> first = new ArrayList<>();
        for (int i = 0; i < ring.spec().lanes(); i++) {
            first.add(claim(ring.stage(), 1));
        }
        first.forEach(claim -> claim.fail(claim.left().get(0), "no", Duration.ZERO));
        Set<Integer> lanes = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            Claim claim = claim(ring.stage(), 1);
            lanes.add(claim.lane());
            claim.fail(claim.left().get(0), "no", Duration.ZERO);
        }
        assertThat(lanes).hasSize(ring.spec().lanes());
    }

    /** A failed message does not come back before its time. */
    @Test
    default void aRetryWaits() {
        Ring ring = ring("waits");
        push(ring, 1);
        Claim claim = claim(ring.stage(), 1);
        claim.fail(claim.deliveries().get(0), "later", Duration.ofHours(1));
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
        assertThat(ring.info().heldMessages()).isZero();
    }

    /** A retry can be put off for a hundred years at most; a longer wait is refused. */
    @Test
    default void aRetryIsInAHundredYearsAtTheLatest() {
        Duration century = Duration.ofDays(36_525);
        Ring ring = ring("century", stage("main").backoff(century, century));
        push(ring, 2);
        Claim claim = claim(ring.stage(), 2);
        for (Duration wrong :
                List.of(
                        Duration.ofMillis(-1),
                        century.plusMillis(1),
                        Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> claim.fail(claim.deliveries().get(0), "no", wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("36525 days");
        }
        claim.fail(claim.deliveries().get(0), "no", century);
        claim.fail(claim.deliveries().get(1), "no");
        assertThat(claim(ring.stage(), 2).isEmpty()).isTrue();
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(2);
        assertThat(ring.check()).isEmpty();
    }

    /** Whatever the text of a failure, the message has failed. */
    @Test
    default void aFailureMaySayAnything() {
        Ring ring = ring("words", stage("main").tries(1));
        List<String> said = Arrays.asList(null, "", "\0zero", "half \ud83d", "x".repeat(1_000_000));
        push(ring, said.size());
        Claim claim = claim(ring.stage(), said.size());
        for (int i = 0; i < said.size(); i++) {
            claim.fail(claim.deliveries().get(i), said.get(i));
        }
        assertThat(ring.stage().deadLetters(9))
                .extracting(DeadLetter::error)
                .containsExactlyInAnyOrder("", "", "zero", "half ?", "x".repeat(1_997) + "...");
        assertThat(ring.check()).isEmpty();
    }

    /** A failure that the store recorded, and whose answer was lost, can be said again. */
    @Test
    default void aFailureThatIsSaidAgainIsTakenOnce() {
        ring("again", stage("main").tries(1));
        Ring ring = behind(LostCalls.ofAnAnswerToAFailure(new CountDownLatch(1))).ring("again");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        Delivery first = claim.deliveries().get(0);
        assertThatThrownBy(() -> claim.fail(first, "no")).isInstanceOf(StoreFailed.class);
        claim.extend();
        claim.done(claim.deliveries().get(2));
        claim.fail(first, "no");
        assertThat(claim.left()).hasSize(1);
        assertThatThrownBy(() -> claim.fail(first, "no"))
                .isInstanceOf(NotInHand.class)
                .hasMessageContaining("settled already");
        claim.done();
        assertThat(ring.info().stages().get(0).failed()).isEqualTo(1);
        assertThat(ring.stage().deadLetters(9)).hasSize(1);
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A word that is wrong is refused, also when it is said again after a call of unknown outcome.
     */
    @Test
    default void aMistakeIsNoWordThatWasTaken() {
        ring("mistake", stage("main").ordered().tries(1));
        Ring ring = behind(LostCalls.ofAFailure()).ring("mistake");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        Delivery second = claim.deliveries().get(1);
        assertThatThrownBy(() -> claim.fail(second, "no")).isInstanceOf(StoreFailed.class);
        assertThatThrownBy(() -> claim.fail(second, "no"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("comes before");
        assertThat(claim.left()).hasSize(3);
        claim.done(claim.deliveries().get(0));
        claim.fail(second, "no");
        assertThat(ring.stage().deadLetters(9)).hasSize(1);
    }

    /** A list of dead letters has those of all lanes. */
    @Test
    default void deadLettersAreListedFromAllLanes() {
        Graph graph = stage("main").tries(1);
        Ring ring = slipring().create(RingSpec.named("lanes").lanes(3).graph(graph));
        for (int i = 0; i < 9; i++) {
            ring.push(to(i % 3, 3, "" + i));
        }
        long handled =
                ring.stage()
                        .drain(
                                delivery -> {
                                    throw new IllegalStateException("by plan");
                                });
        assertThat(handled).isEqualTo(9);
        List<DeadLetter> all = ring.stage().deadLetters(100);
        assertThat(all)
                .extracting(dead -> dead.delivery().text())
                .hasSize(9)
                .doesNotHaveDuplicates();
        List<DeadLetter> five = ring.stage().deadLetters(5);
        List<DeadLetter> rest = ring.stage().deadLettersBehind(five.get(4).id(), 100);
        assertThat(Stream.concat(five.stream(), rest.stream()).map(DeadLetter::id))
                .containsExactlyElementsOf(all.stream().map(DeadLetter::id).toList());
    }

    /** Retries to death, and back. */
    @Test
    default void retriesToDeathAndBack() {
        Ring ring = ring("death", stage("main").tries(3));
        ring.push(Message.of("poison").key("k").header("h", "v"));
        for (int attempt = 1; attempt <= 3; attempt++) {
            Delivery delivery = failOne(ring.stage(), "failure " + attempt);
            assertThat(delivery.attempt()).isEqualTo(attempt);
            retriesComeDue();
        }
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        DeadLetter dead = ring.stage().deadLetters(10).get(0);
        assertThat(dead.error()).isEqualTo("failure 3");
        assertThat(dead.delivery().attempt()).isEqualTo(3);
        assertThat(dead.delivery().key()).isEqualTo("k");
        assertThat(dead.delivery().headers()).containsEntry("h", "v");

        assertThat(ring.stage().retryDead(List.of(dead.id()))).isEqualTo(1);
        assertThat(ring.stage().deadLetters(10)).isEmpty();
        Claim back = claim(ring.stage(), 1);
        assertThat(texts(back)).containsExactly("poison");
        assertThat(back.deliveries().get(0).attempt()).isEqualTo(1);
        back.done();
        assertThat(ring.drain(Duration.ZERO)).isTrue();
    }

    private Delivery failOne(Stage stage, String error) {
        Claim claim = claim(stage, 1);
        Delivery delivery = claim.deliveries().get(0);
        claim.fail(delivery, error);
        return delivery;
    }

    /**
     * Leases that run out count as attempts; a message that kills every worker dies without taking
     * others with it.
     */
    @Test
    default void whatEndsItsWorkersDiesAlone() {
        Ring ring = ring("killer", briefStage("main").tries(4));
        push(ring, 64);
        Set<String> done = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            Claim claim = claim(ring.stage(), 64);
            if (claim.isEmpty() && ring.stage().deadLetters(1).size() == 1) {
                break;
            }
            if (texts(claim).contains("17")) {
                leasesRunOut();
            } else {
                done.addAll(texts(claim));
                claim.done();
            }
        }
        assertThat(ring.stage().deadLetters(9))
                .extracting(letter -> letter.delivery().text())
                .containsExactly("17");
        assertThat(ring.stage().deadLetters(9).get(0).error()).contains("lease");
        assertThat(done).hasSize(63);
    }

    /**
     * A retry at its last attempt is handed out alone, also where others are due before it: none of
     * them can take it to its death.
     */
    @Test
    default void aRetryAtItsLastAttemptComesAlone() {
        Ring ring = ring("last", stage("main").tries(3));
        push(ring, 2);
        Claim again = failAtOnce(claim(ring.stage(), 1), ring.stage());
        Claim other = claim(ring.stage(), 1);
        other.fail(other.deliveries().get(0), "no", Duration.ZERO);
        again.fail(again.deliveries().get(0), "no", Duration.ofMillis(100));
        retriesComeDue();
        assertThat(texts(claim(ring.stage(), 9))).containsExactly("1");
        assertThat(texts(claim(ring.stage(), 9))).containsExactly("0");
    }

    private Claim failAtOnce(Claim claim, Stage stage) {
        claim.fail(claim.deliveries().get(0), "no", Duration.ZERO);
        return claim(stage, 1);
    }

    /** A retry whose lease runs out comes again, and dies in the end. */
    @Test
    default void aRetryThatRunsOutComesAgain() {
        Ring ring = ring("again", briefStage("main").tries(3));
        push(ring, 1);
        failOne(ring.stage(), "first");
        retriesComeDue();
        assertThat(claim(ring.stage(), 1).deliveries().get(0).attempt()).isEqualTo(2);
        leasesRunOut();
        assertThat(claim(ring.stage(), 1).deliveries().get(0).attempt()).isEqualTo(3);
        leasesRunOut();
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        assertThat(ring.stage().deadLetters(1)).hasSize(1);
        assertThat(ring.info().stages().get(0).failed()).isEqualTo(2);
    }

    /** A claim that is given back comes at once and without an attempt more. */
    @Test
    default void whatIsGivenBackComesAtOnce() {
        Ring ring = ring("back");
        push(ring, 4);
        Claim claim = claim(ring.stage(), 4);
        claim.done(claim.deliveries().get(1));
        claim.close();
        Claim next = claim(ring.stage(), 4);
        assertThat(texts(next)).containsExactly("0", "2", "3");
        assertThat(next.deliveries()).allMatch(delivery -> delivery.attempt() == 1);
        next.done();
    }

    /** Done and fail by message: only what failed comes again. */
    @Test
    default void onlyWhatFailedComesAgain() {
        Ring ring = ring("some");
        push(ring, 5);
        failSome(ring.stage(), 5, 2, 0);
        retriesComeDue();
        assertThat(takeAll(ring.stage())).containsExactlyInAnyOrder("0", "2");
    }

    /** Dropped dead letters are gone. */
    @Test
    default void droppedDeadLettersAreGone() {
        Ring ring = ring("drop", stage("main").tries(1));
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        claim.deliveries().forEach(delivery -> claim.fail(delivery, "no"));
        assertThat(ring.stage().dropDead(List.of())).as("none was named").isZero();
        assertThat(ring.stage().retryDead(List.of())).as("none was named").isZero();
        assertThat(ring.info().stages().get(0).dead()).isEqualTo(3);
        assertThat(ring.stage().dropDead(List.of(claim.deliveries().get(1).id()))).isEqualTo(1);
        assertThat(ring.stage().dropAllDead()).isEqualTo(2);
        assertThat(ring.info().stages().get(0).dead()).isZero();
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
    }
}
