// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A field of each line as the message's key. */
class KeyFieldTest {

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
    }

    @Test
    void textsNumbersAndBooleansAreKeys() {
        String lines =
                """
                {"k":"a","x":{"k":"inner"}}
                {"x":[1,{"k":2}],"k":1.50}
                {"k":true}
                {"k":"\\u00e9"}
                """;
        assertThat(shell.feed(lines, "push", "r", "--key-field", "k").code()).isZero();
        assertThat(shell.run("pop", "r", "--json").lines())
                .extracting(line -> line.replaceAll(".*\"key\":(\"[^\"]*\").*", "$1"))
                .containsExactly("\"a\"", "\"1.50\"", "\"true\"", "\"\u00e9\"");
    }

    @Test
    void whatIsBesideTheFieldMayBeDeepOrLong() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        String longest = "1".repeat(5_000);
        String name = "x".repeat(60_000);
        for (String field : List.of("\"x\":" + deep, "\"x\":" + longest, "\"" + name + "\":1")) {
            String line = "{" + field + ",\"k\":\"a\"}\n";
            assertThat(shell.feed(line, "push", "r", "--key-field", "k").code()).isZero();
            assertThat(shell.run("pop", "r").text()).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"k\":\"\\ud83d\"}",
                "",
                "no json",
                "{\"k\":",
                "{\"k\":NaN}",
                "{\"x\":1}",
                "{\"k\":null}",
                "{\"k\":[1]}",
                "[1]",
                "1",
                "{\"k\":1} {\"k\":2}",
                "{\"k\":1}x",
                "\0\0\0\0{\"k\":1}",
                "\0\0\0\0\0\0\0\0"
            })
    void stopsAtALineWithoutAKey(String bad) {
        Shell.Run run =
                shell.feed(
                        "{\"k\":1}\n{\"k\":2}\n" + bad + "\n{\"k\":3}\n",
                        "push",
                        "r",
                        "--key-field",
                        "k");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("slipring: line 3 ")
                .contains("2 messages were pushed before it")
                .doesNotContain("Feature", "Source", "`");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(shell.run("pop", "r").text()).isEqualTo("{\"k\":1}\n{\"k\":2}\n");
    }

    @Test
    void whatCameBeforeStdinBrokeIsIn() {
        InputStream breaks =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("no such device");
                    }
                };
        InputStream two = new ByteArrayInputStream("a\nb\nc".getBytes(StandardCharsets.UTF_8));
        Shell.Run run = shell.feed(new SequenceInputStream(two, breaks), "push", "r");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("slipring: stdin broke behind line 2 (no such device)")
                .contains("2 messages were pushed before");
        assertThat(shell.run("pop", "r").text()).isEqualTo("a\nb\n");
    }
}
