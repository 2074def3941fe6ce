// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.kit.UrlFuzz;

import org.junit.jupiter.api.Test;

import java.util.List;

class UrlFuzzTest {

    private static final List<String> PIECES =
            List.of("", "name", "//", "//me:hush@host", "?", "?x=1", "?password=hush", "#", " ");

    @Test
    void everyUrlIsReadOrRefusedInWords() {
        UrlFuzz.run(
                random -> "memory:" + UrlFuzz.some(PIECES, 2, random),
                url -> {
                    Opening opening = Opening.of(url);
                    try (Store store = new MemoryEngine().open(opening)) {
                        assertThat(url).isEqualTo("memory:");
                        assertThat(store.rings()).isEmpty();
                    }
                });
    }
}
