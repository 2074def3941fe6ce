// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Bodies;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Workers that had something to do were not idle. */
class IdleTest {

    @Test
    void aMessageThatComesIsNoticed() throws Exception {
        Contender contender = Target.of("memory:").contenders().get(0);
        try (Place place = contender.place();
                Subject subject = contender.open(place, new Plan(1000, 1))) {
            subject.push(Bodies.bodies(0, 1));
            Timing timing = new Timing(Duration.ZERO, Duration.ofSeconds(1));
            assertThatThrownBy(() -> Idle.run(subject, place, timing))
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("a message came");
        }
    }
}
