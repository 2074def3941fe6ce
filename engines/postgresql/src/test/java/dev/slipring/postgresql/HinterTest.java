// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.concurrent.TimeUnit;

/**
 * However often something changes, it is announced at most a hundred times a second if nobody
 * listens.
 */
class HinterTest {

    private static final int HINTS = 20;
    private static final int PAUSE_MILLIS = 10;

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void manyChangesShareAHint() {
        database.slipring().create(RingSpec.named("r"));
        PostgresUrl url = PostgresUrl.parse(database.url());
        try (Connections connections =
                        new Connections(url.dataSource(), false, new Trouble(url.place()));
                Hinter hinter = new Hinter(connections)) {
            long begin = System.nanoTime();
            while (hinter.told() < HINTS) {
                hinter.changed();
                Thread.onSpinWait();
            }
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
                    .isGreaterThanOrEqualTo((HINTS - 1) * PAUSE_MILLIS);
        }
    }
}
