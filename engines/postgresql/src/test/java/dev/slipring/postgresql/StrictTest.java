// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;

/** A database in which anything doubtful in a function is an error. */
class StrictTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void theSchemaIsMadeAndWorks() throws Exception {
        database.run("ALTER DATABASE " + database.name() + " SET plpgsql.extra_errors = 'all'");
        Ring ring = database.slipring().create(RingSpec.named("strict"));
        ring.push("a");
        try (Claim claim = ring.stage().claim(1, Duration.ZERO)) {
            claim.fail(claim.deliveries().get(0), "once", Duration.ZERO);
        }
        try (Claim again = ring.stage().claim(1, Duration.ZERO)) {
            again.done();
        }
        assertThat(ring.check()).isEmpty();
    }
}
