// SPDX-License-Identifier: Apache-2.0
package dev.slipring.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** The examples do what they claim to do. */
class ExamplesTest {

    @Test
    void whatIsSoldLeavesTheStockOnce(@TempDir Path folder) throws Exception {
        assertThat(Shop.sell(folder.resolve("shop.db").toString(), 5)).isEqualTo(5);
    }

    @Test
    void whatIsDeadIsDeliveredOnceItsStreetIsKnown(@TempDir Path folder) {
        List<String> lines = Post.work(folder.resolve("post.db").toString());
        assertThat(lines.get(0)).isEqualTo("2 delivered, 1 dead, 0 archived");
        assertThat(lines.get(1)).contains("there is no Oak Street");
        assertThat(lines.get(2)).isEqualTo("3 delivered, 0 dead, 0 archived");
        assertThat(lines.get(3)).isEqualTo("5 delivered, 0 dead, 2 archived");
    }

    @Test
    void readingsGoThroughTheGraph() throws Exception {
        assertThat(Meters.sum(1_000)).isEqualTo(900);
    }
}
