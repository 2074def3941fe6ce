// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import com.sun.management.OperatingSystemMXBean;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Workers that wait for messages while nobody pushes: what they cost, and whether they write.
 * Measures for two windows.
 *
 * <pre>
 *     nobody --&gt; [ empty ring ] --&gt; 8 workers
 * </pre>
 */
final class Idle implements Workload {

    private static final int WORKERS = 8;
    private static final Plan PLAN = new Plan(1000, 1);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Trial> trials(Target target) {
        Setting setting = new Setting(WORKERS, 1, "");
        List<Trial> trials = new ArrayList<>();
        for (Contender contender : target.handlers()) {
            trials.add(new FreshTrial(setting, contender, PLAN, Idle::run));
        }
        return trials;
    }

    static Measured run(Subject subject, Place place, Timing timing) throws Exception {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        AtomicReference<String> trouble = new AtomicReference<>();
        try (AutoCloseable workers =
                subject.handle(
                        WORKERS,
                        (body, length) -> trouble.set("a message came, though nobody pushed"),
                        e -> trouble.set("a worker failed: " + e))) {
            // By then, all that opening and compiling have left to do is done.
            TimeUnit.NANOSECONDS.sleep(timing.ramp().toNanos());
            String before = place.fingerprint();
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(2 * timing.window().toNanos());
            double used = system.getProcessCpuTime() - cpu;
            double percent = 100 * used / (System.nanoTime() - start);
            if (trouble.get() != null) {
                throw new BenchFailed(trouble.get());
            }
            Measured measured = Measured.rate(0).cpu(percent);
            if (before.isEmpty()) {
                return measured;
            }
            boolean same = before.equals(place.fingerprint());
            return measured.note(same ? "no write" : "file written");
        }
    }
}
