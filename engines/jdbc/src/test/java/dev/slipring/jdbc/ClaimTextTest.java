// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.StoreFailed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of claims in a row, after somebody has changed the row. */
class ClaimTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 0 5",
                "1 0 5 1 1700000000000 0 - worker\n1 0 five 1 1700000000000 0 - worker\n",
                "1 0 5 1 1700000000000 0 xyz worker\n"
            })
    void aDamagedRowIsNamed(String claims) {
        assertThatThrownBy(() -> ClaimText.read("main", 3, claims, (claim, turn) -> {}))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("the row of stage 'main' in lane 3 in slipring_strand");
    }
}
