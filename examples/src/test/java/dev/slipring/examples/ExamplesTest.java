// SPDX-License-Identifier: Apache-2.0
package dev.slipring.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The examples do what they say. */
class ExamplesTest {

    @Test
    void whatIsSoldLeavesTheStockOnce(@TempDir Path folder) throws Exception {
        assertThat(Shop.sell(folder.resolve("shop.db").toString(), 5)).isEqualTo(5);
    }

    @Test
    void readingsGoThroughTheGraph() throws Exception {
        assertThat(Meters.sum(1_000)).isEqualTo(900);
    }
}
