// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TableTest {

    @Test
    void numbersStandToTheRight() {
        Table table = new Table("stage", "lag", "behind", "note");
        table.row("locate", 1, "-", "");
        table.row("b", "1,234", "2.3s", "x");
        assertThat(table.lines())
                .containsExactly(
                        "stage     lag  behind  note",
                        "locate      1       -",
                        "b       1,234    2.3s  x");
    }

    @Test
    void aTableWithoutRowsIsItsHead() {
        assertThat(new Table("kind", "count").lines()).containsExactly("kind  count");
    }

    /** Looking through all rows for each of them would take an hour and more. */
    @Test
    @Timeout(value = 20, threadMode = SEPARATE_THREAD)
    void aTableMayHaveManyRows() {
        Table table = new Table("id", "attempts");
        for (int i = 0; i < 100_000; i++) {
            table.row("0-" + i, i);
        }
        List<String> lines = table.lines();
        assertThat(lines).hasSize(100_001);
        assertThat(lines.get(1)).isEqualTo("0-0             0");
        assertThat(lines.get(100_000)).isEqualTo("0-99999     99999");
    }
}
