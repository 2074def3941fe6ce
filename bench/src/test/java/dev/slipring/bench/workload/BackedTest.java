// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.bench.load.Bodies;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import org.junit.jupiter.api.Test;

/** A take gets nothing as long as no more messages wait than are to stay. */
class BackedTest {

    private static final int BATCH = 10;

    @Test
    void theBacklogStays() throws Exception {
        Contender contender = Target.of("memory:").contenders().get(0);
        try (Place place = contender.place();
                Subject subject = contender.open(place, new Plan(1000, 1))) {
            subject.push(Bodies.bodies(0, 3 * BATCH));
            Subject backed = new Backed(subject, 2 * BATCH, 3 * BATCH);
            assertThat(take(backed)).isEqualTo(BATCH);
            assertThat(take(backed)).isZero();
            backed.push(Bodies.bodies(3 * BATCH, 1));
            assertThat(take(backed)).isEqualTo(BATCH);
            assertThat(take(backed)).isZero();
            backed.finish(0);
            assertThat(backed.waiting()).isEqualTo(BATCH + 1);
        }
    }

    private static int take(Subject subject) throws Exception {
        return subject.take(0, BATCH, (body, length) -> {});
    }
}
