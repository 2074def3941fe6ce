// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lines of bytes. */
class LinesTest {

    private static List<String> read(String text, int max) throws IOException {
        Lines lines =
                new Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), max);
        List<String> all = new ArrayList<>();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            all.add(new String(line, StandardCharsets.UTF_8));
        }
        assertThat(lines.number()).isEqualTo(all.size());
        assertThat(lines.bytes()).isEqualTo(text.length());
        return all;
    }

    @Test
    void splitsAtLineFeedsOnly() throws IOException {
        assertThat(read("", 10)).isEmpty();
        assertThat(read("\n", 10)).containsExactly("");
        assertThat(read("a\n\nb\r\n", 10)).containsExactly("a", "", "b\r");
        assertThat(read("a\nb", 10)).containsExactly("a", "b");
    }

    @Test
    void joinsLinesThatAreLongerThanWhatIsReadAtOnce() throws IOException {
        for (int length : new int[] {65_535, 65_536, 65_537, 131_072, 200_000}) {
            String line = "x".repeat(length);
            assertThat(read(line + "\n" + line, length)).containsExactly(line, line);
        }
    }

    @Test
    void refusesALineThatIsTooLongWithItsNumber() {
        assertThatThrownBy(() -> read("a\n" + "x".repeat((1 << 20) + 1) + "\n", 1 << 20))
                .isInstanceOf(BadLine.class)
                .hasMessageContaining("line 2 is longer than 1 MiB");
    }
}
