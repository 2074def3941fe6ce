// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Store;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Assumptions;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What the tests of all promises share. */
public interface Promise {

    /** The testbed of the test that runs. */
    Testbed bed();

    /** The store of the test that runs, open. */
    Slipring slipring();

    /** Skips the test if the engine does not declare the capability. */
    default void needs(Capability capability) {
        Assumptions.assumeTrue(
                slipring().store().capabilities().contains(capability), "needs: " + capability);
    }

    /** Whether a transaction in one lane leaves the others to everybody else. */
    default boolean lanes() {
        return slipring().store().capabilities().contains(Capability.LANES);
    }

    /** A stage whose back-off can be waited for; its leases outlast the test on a slow machine. */
    default StageSpec stage(String name) {
        return StageSpec.named(name)
                .lease(Duration.ofMinutes(10))
                .backoff(Duration.ofMillis(100), Duration.ofMillis(200));
    }

    /** A stage whose leases too can be waited for. */
    default StageSpec briefStage(String name) {
        return stage(name).lease(bed().lease(slipring()));
    }

    /** A ring of a graph. */
    default Ring ring(String name, Graph graph) {
        return slipring().create(RingSpec.named(name).graph(graph));
    }

    /** A ring with the one stage main. */
    default Ring ring(String name) {
        return ring(name, stage("main"));
    }

    /** A connection to the store's database, in a transaction. */
    default Connection transaction() throws SQLException {
        Connection connection = bed().connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The store with the time of the machine. */
    default Slipring realTime() {
        return bed().open(Options.url(bed().url()));
    }

    /** The store once more; what becomes of its calls, the way says. */
    default Slipring behind(InFront.Way way) {
        return Slipring.over(front(slipring(), way), bed().options());
    }

    /** The same of a store with the time of the machine. */
    default Slipring behind(Slipring realTime, InFront.Way way) {
        return Slipring.over(front(realTime, way), Options.url(bed().url()));
    }

    private static Store front(Slipring slipring, InFront.Way way) {
        return InFront.of(Store.class, slipring.store(), way);
    }

    /** The store once more, with a listener. */
    default Slipring heardBy(Listener listener) {
        return Slipring.over(slipring().store(), bed().options().listener(listener));
    }

    /** Lets every lease that a claim has now run out. */
    default void leasesRunOut() {
        bed().pass(slipring(), bed().lease(slipring()).plusMillis(50));
    }

    /** Lets every back-off that has begun pass. */
    default void retriesComeDue() {
        bed().pass(slipring(), Duration.ofMillis(250));
    }

    /** Pushes this many messages, "0", "1" and so on, in one transaction. */
    default void push(Ring ring, int count) {
        ring.pushAll(IntStream.range(0, count).mapToObj(i -> Message.of("" + i)).toList());
    }

    /** A message with a key that goes into this lane, in a ring of this many lanes. */
    default Message to(int lane, int lanes, String text) {
        return Message.of(text).key(Keys.of(lane, lanes));
    }

    /** Pushes to a ring of two lanes, and claims a message of each. */
    default Claim[] claimsOfTwoLanes(Ring ring) {
        for (int i = 0; i < 32; i++) {
            ring.push(Message.of("x").key("key" + i));
        }
        Claim one = claim(ring.stage(), 1);
        Claim other = claim(ring.stage(), 1);
        while (other.lane() == one.lane()) {
            other = claim(ring.stage(), 1);
        }
        return new Claim[] {one, other};
    }

    /** Claims at once. */
    default Claim claim(Stage stage, int max) {
        return stage.claim(max, Duration.ZERO);
    }

    /** Claims, says failed to the messages of these numbers in the claim, done to the rest. */
    default void failSome(Stage stage, int max, int... which) {
        Claim claim = claim(stage, max);
        for (int number : which) {
            claim.fail(claim.deliveries().get(number), "no");
        }
        claim.done();
    }

    /** The texts of a claim. */
    default List<String> texts(Claim claim) {
        return claim.deliveries().stream().map(Delivery::text).toList();
    }

    /** Claims all that can be claimed now, says done to it, and returns the texts. */
    default List<String> takeAll(Stage stage) {
        List<String> all = new ArrayList<>();
        for (Claim claim = claim(stage, 1_000); !claim.isEmpty(); claim = claim(stage, 1_000)) {
            all.addAll(texts(claim));
            claim.done();
        }
        return all;
    }

    /** The numbers from zero on, as texts. */
    default List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "" + i).toList();
    }
}
