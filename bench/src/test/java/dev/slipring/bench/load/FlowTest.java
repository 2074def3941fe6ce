// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.ForwardingSubject;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Sink;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue that loses, doubles or alters a message is found out. */
class FlowTest {

    private static final Timing SHORT = new Timing(Duration.ZERO, Duration.ofMillis(50));
    private static final int BATCH = 10;

    private final Source source = new Source(0);
    private final Tally tally = Tally.remembering();
    private final AtomicInteger seen = new AtomicInteger();

    @Test
    void aSoundQueuePasses() throws Exception {
        run((body, length, sink) -> sink.take(body, length));
        assertThat(tally.count()).isPositive();
        Checksum.all(List.of(source), List.of(tally));
        Checksum.some(source, tally);
    }

    @Test
    void aWindowLastsUntilSomethingHasMoved() throws Exception {
        Measured measured =
                run(
                        (body, length, sink) -> {
                            if (seen.getAndIncrement() == 0) {
                                sleep(SHORT.window().multipliedBy(4));
                            }
                            sink.take(body, length);
                        });
        assertThat(measured.messagesPerSecond()).isPositive();
    }

    /** Without a thread that takes, the pushed messages count as moved. */
    @Test
    @Timeout(20)
    void aWindowWithoutTakersEnds() throws Exception {
        Contender contender = Target.of("memory:").contenders().get(0);
        try (Place place = contender.place();
                Subject subject = contender.open(place, new Plan(1000, 1))) {
            Subject forgets =
                    new ForwardingSubject(subject) {
                        @Override
                        public void push(List<byte[]> bodies) {
                            sleep(Duration.ofMillis(1));
                        }
                    };
            Duration patience = Duration.ofHours(1);
            Measured measured =
                    new Flow(forgets, List.of(source), List.of(), BATCH, BATCH, patience)
                            .run(SHORT, false);
            assertThat(measured.messagesPerSecond()).isPositive();
        }
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLostMessageIsFound() {
        assertThatThrownBy(
                        () ->
                                run(
                                        (body, length, sink) -> {
                                            if (seen.getAndIncrement() != 5) {
                                                sink.take(body, length);
                                            }
                                        },
                                        Duration.ofMillis(500)))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("and then none for");
        assertThatThrownBy(() -> Checksum.all(List.of(source), List.of(tally)))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("delivered");
    }

    @Test
    @Timeout(60)
    void whatNeverComesIsNotWaitedForWithoutEnd() throws Exception {
        Contender contender = Target.of("memory:").contenders().get(0);
        try (Place place = contender.place();
                Subject subject = contender.open(place, new Plan(1000, 1))) {
            subject.push(source.next(BATCH));
            Flow.drain(subject, tally, BATCH, BATCH, Duration.ofHours(1));
            Duration patience = Duration.ofMillis(200);
            assertThatThrownBy(() -> Flow.drain(subject, tally, BATCH, BATCH + 1, patience))
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("took 10, and then none came");
        }
    }

    @Test
    void aDoubledMessageIsFound() throws Exception {
        run(
                (body, length, sink) -> {
                    sink.take(body, length);
                    if (seen.getAndIncrement() == 5) {
                        sink.take(body, length);
                    }
                });
        assertThatThrownBy(() -> Checksum.all(List.of(source), List.of(tally)))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("delivered");
    }

    @Test
    void anAlteredByteIsFound() throws Exception {
        run(
                (body, length, sink) -> {
                    if (seen.getAndIncrement() == 5) {
                        body[length - 1] ^= 1;
                    }
                    sink.take(body, length);
                });
        assertThatThrownBy(() -> Checksum.all(List.of(source), List.of(tally)))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("checksum");
        assertThatThrownBy(() -> Checksum.some(source, tally))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void bodiesDiffer() {
        List<byte[]> bodies = Bodies.bodies(7, 3);
        assertThat(bodies).hasSize(3).allSatisfy(body -> assertThat(body).hasSize(300));
        assertThat(bodies).extracting(Bodies::number).containsExactly(7L, 8L, 9L);
        assertThat(bodies).extracting(body -> Bodies.hash(body, 300)).doesNotHaveDuplicates();
        assertThat(Bodies.body(7)).isEqualTo(bodies.get(0)).isNotSameAs(Bodies.body(7));
    }

    /** What happens between the queue and the tally. */
    @FunctionalInterface
    private interface Meddler {
        void pass(byte[] body, int length, Sink sink);
    }

    private Measured run(Meddler meddler) throws Exception {
        return run(meddler, Duration.ofSeconds(30));
    }

    private Measured run(Meddler meddler, Duration patience) throws Exception {
        Contender contender = Target.of("memory:").contenders().get(0);
        try (Place place = contender.place();
                Subject subject = contender.open(place, new Plan(1000, 1))) {
            Subject meddled = new Meddled(subject, meddler);
            return new Flow(meddled, List.of(source), List.of(tally), BATCH, BATCH, patience)
                    .run(SHORT, true);
        }
    }

    /** A queue with a meddler. */
    private static final class Meddled extends ForwardingSubject {

        private final Meddler meddler;

        Meddled(Subject subject, Meddler meddler) {
            super(subject);
            this.meddler = meddler;
        }

        @Override
        public int take(int stage, int most, Sink sink) throws Exception {
            return super.take(stage, most, (body, length) -> meddler.pass(body, length, sink));
        }
    }
}
