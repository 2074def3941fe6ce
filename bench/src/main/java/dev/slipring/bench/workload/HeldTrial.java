// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Pace;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Subject;

import java.time.Duration;
import java.util.Locale;

/**
 * A queue before and while another session holds something: the rate and the latency before it,
 * each for a quarter of the window; then the rate under it in two halves of a window, and the
 * latency at 1,000 messages a second.
 *
 * @param contender the system
 * @param holding what is held
 */
record HeldTrial(Contender contender, Holding holding) implements Trial {

    static final int BATCH = 1000;
    static final Plan PLAN = new Plan(20L * BATCH, 1).patience(Duration.ofSeconds(1));

    @Override
    public Setting setting() {
        return new Setting(1, BATCH, holding.words());
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        Timing quarter = new Timing(timing.ramp(), timing.longest(), timing.window().dividedBy(4));
        Timing half = new Timing(Duration.ZERO, timing.window().dividedBy(2));
        try (PostgresPlace place = (PostgresPlace) contender.place()) {
            Holding.prepare(place);
            // A first run that does not count.
            flow(place, half);
            Measured before = flow(place, quarter);
            Measured calm = pace(place, quarter);
            try (AutoCloseable held = holding.begin(place, timing.window())) {
                double first = flow(place, half).messagesPerSecond();
                PostgresPlace.Sizes middle = place.sizes();
                double second = flow(place, half).messagesPerSecond();
                PostgresPlace.Sizes end = place.sizes();
                Measured slow = pace(place, quarter);
                double rate = (first + second) / 2;
                return new Measured(rate, slow.p50Millis(), slow.p99Millis(), null, null, "")
                        .note(
                                String.format(
                                        Locale.ROOT,
                                        "%.2f of before, its second half %.2f, p99 %.2f times"
                                                + " before, tables+catalogs %s, then %s",
                                        rate / before.messagesPerSecond(),
                                        second / before.messagesPerSecond(),
                                        slow.p99Millis() / calm.p99Millis(),
                                        middle,
                                        end));
            }
        }
    }

    private Measured flow(PostgresPlace place, Timing timing) throws Exception {
        try (Subject subject = contender.open(place, PLAN)) {
            return Cycle.run(subject, BATCH, timing);
        }
    }

    private Measured pace(PostgresPlace place, Timing timing) throws Exception {
        try (Subject subject = contender.open(place, PLAN)) {
            return new Pace(subject, 1, timing).run();
        }
    }
}
