// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;
import dev.slipring.torture.Course;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Words about a claim are compared with what its handlers did. */
class HandledTest {

    private static final String POOL = Course.STAGES.get(0);
    private static final String ORDERED = Course.ORDERED.iterator().next();

    private final Handled handled = new Handled();
    private final Ticket ticket = new Ticket(POOL, 0, 4, false);
    private final List<Delivery> three =
            LongStream.range(5, 8)
                    .mapToObj(at -> new Delivery(Message.of("x"), 0, at, 1, Instant.EPOCH))
                    .toList();

    @BeforeEach
    void come() {
        handled.came(Claimed.of(ticket, Mode.POOL, three, 1_000));
    }

    private List<String> wrong(List<Long> done, List<Long> failed, Rest rest) {
        List<Failed> failures = failed.stream().map(at -> new Failed(at, "no")).toList();
        return handled.wrong(new Settlement(ticket, done, failures, rest));
    }

    @Test
    void whatIsSoMayBeSaid() {
        handled.ended(three.get(0), Handled.End.DONE);
        handled.ended(three.get(1), Handled.End.FAILED);
        assertThat(wrong(List.of(5L), List.of(6L), Rest.KEEP)).isEmpty();
        assertThat(wrong(List.of(5L), List.of(6L), Rest.GIVE_BACK)).isEmpty();
        assertThat(wrong(List.of(), List.of(), Rest.EXTEND)).isEmpty();
    }

    @Test
    void whatIsNotSoIsFound() {
        handled.ended(three.get(0), Handled.End.DONE);
        assertThat(wrong(List.of(), List.of(), Rest.DONE)).hasSize(2);
        assertThat(wrong(List.of(6L), List.of(), Rest.KEEP)).hasSize(1);
        assertThat(wrong(List.of(), List.of(5L), Rest.KEEP)).hasSize(1);
        assertThat(wrong(List.of(), List.of(), Rest.GIVE_BACK)).hasSize(1);
        assertThat(wrong(List.of(9L), List.of(), Rest.KEEP)).hasSize(1);
    }

    @Test
    void whatIsSaidIsOutOfHand() {
        three.forEach(delivery -> handled.ended(delivery, Handled.End.DONE));
        handled.taken(new Settlement(ticket, List.of(5L), List.of(), Rest.KEEP));
        assertThat(wrong(List.of(5L), List.of(), Rest.KEEP)).hasSize(1);
        assertThat(wrong(List.of(), List.of(), Rest.DONE)).isEmpty();
    }

    @Test
    void aWordThatMayHaveBeenTakenMayBeRefused() {
        Settlement first = new Settlement(ticket, List.of(5L), List.of(), Rest.KEEP);
        assertThat(handled.wasTaken(first)).as("nothing went wrong before").isFalse();
        handled.mayBeTaken(new Settlement(ticket, List.of(), List.of(), Rest.EXTEND));
        assertThat(handled.wasTaken(first)).as("another word may be").isFalse();
        handled.mayBeTaken(first);
        assertThat(handled.wasTaken(first)).isTrue();
        assertThat(handled.wasTaken(first)).as("refused twice").isFalse();
        assertThat(wrong(List.of(5L), List.of(), Rest.KEEP)).as("it is out of hand").hasSize(1);
    }

    @Test
    void handlersOfAnOrderedStageAreCalledInTurn() {
        assertThat(handled.begins(POOL, three.get(1))).isTrue();
        handled.came(Claimed.of(ticket, Mode.POOL, three, 1_000));
        assertThat(handled.begins(ORDERED, three.get(0))).isTrue();
        handled.ended(three.get(0), Handled.End.DONE);
        assertThat(handled.begins(ORDERED, three.get(0))).as("a second time").isFalse();
        handled.came(Claimed.of(ticket, Mode.POOL, three, 1_000));
        assertThat(handled.begins(ORDERED, three.get(2))).as("before its turn").isFalse();
    }
}
