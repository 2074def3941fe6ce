// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Survey;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.Proxy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;

/** How often calls go to a server and back, which may be far away. */
class FarTest {

    private static final int LANES = 64;

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aLookAtManyLanesIsNoMoreRequests() throws SQLException, IOException {
        try (Proxy proxy = new Proxy(database.port());
                Slipring slipring = Slipring.open(Options.url(database.url(proxy.port())))) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(LANES));
            ring.pushAll(
                    IntStream.range(0, 20 * LANES)
                            .mapToObj(i -> Message.of("x").key("key " + i))
                            .toList());
            ring.stage().claim(1, Duration.ZERO);
            ring.stage().claim(2, Duration.ZERO).done();
            int before = proxy.requests();
            Survey survey = ring.info();
            assertThat(proxy.requests() - before).isLessThan(LANES / 2);
            assertThat(survey.stage("main").inHand()).hasSize(1);
            assertThat(survey.stage("main").lag()).isGreaterThan(19 * LANES);
            assertThat(survey.stage("main").lagTime()).isPositive();
        }
    }
}
