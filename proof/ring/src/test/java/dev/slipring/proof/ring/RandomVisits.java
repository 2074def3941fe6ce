// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.Sequence;

import java.util.List;
import java.util.Random;

/**
 * A thread that joins a random graph at random places while the graph runs, as one stage or as a
 * chain of two. It sees every message from where it joined, without a gap, until it leaves; if it
 * is there at the end, it sees the last message.
 */
final class RandomVisits {

    private static final String VISITOR = "a visitor";

    private final RandomGraph graph;
    private final Random random;

    RandomVisits(RandomGraph graph, long seed) {
        this.graph = graph;
        this.random = new Random(seed);
    }

    void run() throws InterruptedException {
        while (!graph.isClosed()) {
            visit();
        }
    }

    private Sequence stage() {
        return random.nextBoolean() ? new SCSequence() : new MCSequence(graph.capacity());
    }

    private void visit() throws InterruptedException {
        List<Integer> place = graph.place(random);
        Sequence first = stage();
        Sequence last = random.nextBoolean() ? first : first.then(stage());
        graph.producer().join(graph.at(place), last);
        long next = last.current() + 1;
        boolean atEnd = false;
        for (int left = 1 + random.nextInt(300); left > 0 && !atEnd; left--) {
            long cursor = first.waitForNext();
            atEnd = cursor == Sequence.CLOSED;
            if (!atEnd) {
                RandomGraph.expect(VISITOR, next, cursor);
                graph.look(place, cursor, VISITOR);
                first.done(cursor);
                if (last != first) {
                    RandomGraph.expect(VISITOR, next, last.waitForNext());
                    graph.look(place, cursor, VISITOR);
                    last.done(cursor);
                }
                next++;
            }
        }
        if (atEnd) {
            RandomGraph.expect(VISITOR, graph.count(), next);
        }
        graph.producer().leave(last);
    }
}
