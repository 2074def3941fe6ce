// SPDX-License-Identifier: Apache-2.0
package dev.slipring.examples;

import dev.slipring.DeadLetter;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A ring that is changed while it is in use: a letter that cannot be delivered becomes a dead
 * letter and is retried once its street is known, and a stage is added that follows the first.
 *
 * <pre>
 *     post --&gt; deliver --&gt; archive, added later
 * </pre>
 */
public final class Post {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Set<String> streets = ConcurrentHashMap.newKeySet();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder archived = new LongAdder();
    private final Ring ring;

    private Post(Ring ring) {
        this.ring = ring;
    }

    /** Posts letters, and shows what became of them. */
    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("name the file of a new database, as /tmp/post.db");
            System.exit(2);
        }
        work(args[0]).forEach(System.out::println);
    }

    /** Delivers the letters; returns what happened, line by line. */
    static List<String> work(String file) {
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            // One try only, so that the example does not wait for a second one.
            StageSpec deliver = StageSpec.named("deliver").tries(1);
            return new Post(slipring.create(RingSpec.named("post").graph(deliver))).work();
        }
    }

    private List<String> work() {
        streets.add("Elm Street");
        try (Workers carriers = ring.stage("deliver").work(2, it -> deliver(it.text()))) {
            post("Elm Street", "Oak Street", "Elm Street");
            String first = standing();

            List<DeadLetter> dead = ring.stage("deliver").deadLetters(10);
            String why = dead.get(0).error();
            streets.add("Oak Street");
            ring.stage("deliver").retryDead(dead.stream().map(DeadLetter::id).toList());
            ring.drain(SOON);
            String second = standing();

            ring.addStage(StageSpec.named("archive"), Set.of("deliver"), Start.NEWEST);
            try (Workers archive = ring.stage("archive").work(1, it -> archived.increment())) {
                post("Oak Street", "Elm Street");
            }
            return List.of(first, why, second, standing());
        }
    }

    private void post(String... letters) {
        ring.pushAll(List.of(letters).stream().map(Message::of).toList());
        ring.drain(SOON);
    }

    private void deliver(String street) {
        if (!streets.contains(street)) {
            throw new IllegalArgumentException("there is no " + street);
        }
        delivered.increment();
    }

    private String standing() {
        long dead = ring.info().stage("deliver").dead();
        return delivered + " delivered, " + dead + " dead, " + archived + " archived";
    }
}
