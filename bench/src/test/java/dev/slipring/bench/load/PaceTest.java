// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

/** A run ends with what its threads failed of. */
class PaceTest {

    /** And not only when nothing has come for some time, without the reason. */
    @Test
    void whatATakingThreadFailsOfIsTold(@TempDir Path folder) throws Exception {
        Contender naive =
                Target.of("sqlite:" + folder.resolve("bench.db")).contenders().stream()
                        .filter(contender -> contender.system().equals(Contender.BASELINE))
                        .findFirst()
                        .orElseThrow();
        try (Place place = naive.place();
                Subject subject = naive.open(place, new Plan(100_000, 1))) {
            refuseDeletes(place);
            Timing timing = new Timing(Duration.ZERO, Duration.ofMillis(300));
            assertThatThrownBy(() -> new Pace(subject, 1, timing).run())
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("a thread of the run failed")
                    .hasMessageContaining("refused for a test");
        }
    }

    private static void refuseDeletes(Place place) throws Exception {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TRIGGER refusing BEFORE DELETE ON q0"
                            + " BEGIN SELECT RAISE(ABORT, 'refused for a test'); END");
        }
    }
}
