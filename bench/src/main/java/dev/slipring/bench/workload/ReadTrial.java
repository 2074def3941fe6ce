// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Subject;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * A queue before and while a transaction is open that has read the queue's tables: the rate for as
 * long as it can push, the error when it cannot, and how soon after the end of the transaction it
 * reaches nine tenths of the rate before.
 *
 * @param contender the system
 */
record ReadTrial(Contender contender) implements Trial {

    private static final Duration STEP = Duration.ofMillis(50);
    private static final int STEPS_AVERAGED = 10;
    private static final double FULL = 0.9;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public Setting setting() {
        return new Setting(1, HeldTrial.BATCH, Holding.OURS.words());
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        List<Source> sources = List.of(new Source(0));
        List<Tally> tallies = List.of(new Tally());
        try (PostgresPlace place = (PostgresPlace) contender.place();
                Subject subject = contender.open(place, HeldTrial.PLAN)) {
            Holding.prepare(place);
            Refused refused = new Refused(subject);
            Measured measured =
                    new Flow(refused, sources, tallies, HeldTrial.BATCH, HeldTrial.BATCH)
                            .run(flow -> watch(flow, refused, place, timing), true);
            Checksum.all(sources, tallies);
            return measured;
        }
    }

    private static Measured watch(Flow flow, Refused refused, PostgresPlace place, Timing timing)
            throws Exception {
        flow.sleep(timing.window().dividedBy(2));
        double before = rate(flow, timing.window().dividedBy(4));
        double held;
        String full = "never full";
        try (AutoCloseable holder = Holding.OURS.begin(place, timing.window())) {
            long start = System.nanoTime();
            long moved = flow.moved();
            while (refused.reason() == null && !isOver(start, timing.window())) {
                flow.sleep(STEP);
            }
            // Not until the refusal alone: what was waiting then has been delivered since.
            held = (flow.moved() - moved) / seconds(start, System.nanoTime());
            if (refused.reason() != null) {
                full = full(refused.reason(), Holding.pid(holder), seconds(start, refused.since()));
            }
        }
        return Measured.rate(held)
                .note(
                        String.format(
                                Locale.ROOT,
                                "%.2f of before, %s, %s",
                                held / before,
                                full,
                                recovery(flow, before)));
    }

    private static String full(String reason, int pid, double seconds) {
        if (!reason.contains(String.valueOf(pid))) {
            throw new BenchFailed(
                    "process " + pid + " holds the ring, but is not named: " + reason);
        }
        return String.format(Locale.ROOT, "full after %.1f s and names the holder", seconds);
    }

    private static String recovery(Flow flow, double before) throws InterruptedException {
        long start = System.nanoTime();
        Deque<Double> rates = new ArrayDeque<>();
        while (!isOver(start, PATIENCE)) {
            rates.add(rate(flow, STEP));
            double average = rates.stream().mapToDouble(rate -> rate).average().orElse(0);
            if (rates.size() == STEPS_AVERAGED) {
                if (average >= FULL * before) {
                    double seconds = seconds(start, System.nanoTime());
                    return String.format(Locale.ROOT, "full rate %.1f s after", seconds);
                }
                rates.remove();
            }
        }
        return "not at full rate " + PATIENCE.toSeconds() + " s after";
    }

    private static double rate(Flow flow, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long moved = flow.moved();
        flow.sleep(time);
        return (flow.moved() - moved) / seconds(start, System.nanoTime());
    }

    private static double seconds(long start, long end) {
        return (end - start) / 1e9;
    }

    private static boolean isOver(long start, Duration time) {
        return System.nanoTime() - start > time.toNanos();
    }
}
