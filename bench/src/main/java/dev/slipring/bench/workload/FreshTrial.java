// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;

/** A trial with a new queue each time. */
public record FreshTrial(Setting setting, Contender contender, Plan plan, Course course)
        implements Trial {

    /** What a run does with the queue. */
    @FunctionalInterface
    public interface Course {
        Measured run(Subject subject, Place place, Timing timing) throws Exception;
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        try (Place place = contender.place();
                Subject subject = contender.open(place, plan)) {
            return course.run(subject, place, timing);
        }
    }
}
