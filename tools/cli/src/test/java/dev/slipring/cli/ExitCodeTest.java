// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Wrong use is told in one line, with the exit code that scripts rely on. */
class ExitCodeTest {

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
        shell.run("create", "two", "--stage", "a", "--stage", "b:after=a");
    }

    /** Its error quotes it: one line, and at once. */
    @Test
    void whatIsLongIsRefusedAtOnce() {
        for (String part : List.of("x", " ", "\n", "password={")) {
            String max = "x" + part.repeat(100_000 / part.length()) + "x";
            Shell.Run run =
                    assertTimeoutPreemptively(
                            Duration.ofSeconds(30), () -> shell.run("pop", "two", "--max", max));
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("is not a number").doesNotContain("happened");
            assertThat(run.err().lines().count()).isLessThan(3);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | nonsense | no command 'nonsense'",
                "2 | migrate nonsense | no command 'nonsense'",
                "2 | stage two nonsense | no command 'nonsense'",
                "2 | dead two nonsense | no command 'nonsense'",
                "2 | push | RING",
                "2 | push two --nonsense | --nonsense",
                "2 | info two three | three",
                "2 | info --url nonsense:x | nonsense:x",
                "2 | info --url memory: | memory:",
                "2 | waits | sqlite has no server",
                "2 | waits --seconds 0 | --seconds 0",
                "2 | waits --top 0 | --top 0",
                "2 | bench nope --url memory: | ring/TOPOLOGY",
                "2 | bench cycle --url sqlite:x.db?nope=1 | 'nope'",
                "1 | bench cycle --url postgresql://a:b@127.0.0.1:1/x | 127.0.0.1:1",
                "1 | bench cycle --url mysql://a:b@127.0.0.1:1/x | 127.0.0.1:1",
                "2 | torture --url sqlite:gone/x.db | no folder",
                "2 | pop two | a, b",
                "1 | pop two --stage c | no stage 'c'",
                "2 | pop two --stage a --wait soon | 'soon'",
                "2 | pop two --stage a --wait -1 | '-1'",
                "2 | create new --stage a:lease=soon | lease=soon",
                "2 | create new --stage a:lease=0s | lease",
                "2 | create new --stage a:tries=0 | tries",
                "2 | create new --stage a:tries=x | tries=x",
                "2 | create new --stage a:orderd | orderd",
                "2 | create new --stage a:ordered:ordered | twice",
                "2 | create new --stage a:after= | after=",
                "2 | create new --stage a:after=b | 'b'",
                "2 | create new --stage a:after=a | circle",
                "2 | create new --stage a:after=b --stage b:after=a | circle",
                "2 | create new --stage a --stage a | twice",
                "2 | create a/b | a/b",
                "2 | create 'it''s' | it's",
                "2 | resize two | --messages",
                "2 | stage two | ls",
                "2 | stage two add a | 'a'",
                "2 | stage two add c --from never | never",
                "1 | stage two pause c | no stage 'c'",
                "2 | dead two retry | a, b",
                "2 | dead two --stage a retry x | 'x'",
                "1 | info gone | gone",
                "1 | pop gone | gone",
                "1 | check gone | gone",
                "1 | drop gone --yes | gone",
                "1 | create two | two",
                "1 | dead two --stage a drop 0-17 | 1 of the ids",
            })
    void wrongUse(int code, String command, String named) {
        Shell.Run run = shell.run(command.split(" "));
        assertThat(run.err()).startsWith("slipring: ").contains(named.replace("it's", "it"));
        assertThat(run.err().lines()).filteredOn(line -> line.startsWith("slipring: ")).hasSize(1);
        assertThat(run.err()).doesNotContain("\tat ").doesNotContain("should not have happened");
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pop two --stage a --max many | 'many'",
                "dead two --stage a ls --max -1 | '-1'",
                "dead two ls --max 0 | use 1 or more",
                "pop gone --max many | 'many'",
                "pop gone --wait soon | 'soon'",
                "resize gone --bytes many | 'many'",
                "stage gone add c --from never | never",
                "stage gone rewind a --to never | never",
                "dead gone ls --max 0 | use 1 or more",
                "create new --messages 0 | 0 messages",
                "create new --bytes 1X | 1X",
                "create new --lanes 0 | 0 lanes",
                "create new --lanes 99999999999 | no whole number up to 2,147,483,647",
                "torture --seed x | no whole number up to 9,223,372,036,854,775,807",
                "torture --minutes x | is no number",
            })
    void wrongNumbers(String command, String named) {
        wrongUse(2, command, named);
    }

    /** A command that is refused as wrong use creates no store. */
    @Test
    void nothingIsMadeForWhatIsWrong(@TempDir Path empty) {
        Shell other = new Shell(empty);
        assertThat(other.run("create", "r", "--stage", "a:lease=0").code()).isEqualTo(2);
        assertThat(other.run("push", "bad/name").code()).isEqualTo(2);
        assertThat(other.run("push", "r", "--wait", "soon").code()).isEqualTo(2);
        assertThat(empty).isEmptyDirectory();
    }

    /** If stdout takes nothing, the command has failed, whatever it was to print there. */
    @Test
    void whatIsNotPrintedIsToldOf() {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        for (String command : new String[] {"--help", "push --help", "--version", "completion"}) {
            Shell.Run run = shell.run(new byte[0], full, command.split(" "));
            assertThat(run.code()).as(command).isEqualTo(1);
            assertThat(run.err()).as(command).startsWith("slipring: ");
        }
    }

    @Test
    void namesThatAreEmptyOrStrange() {
        for (String name :
                new String[] {"", " ", "a b", "-", "\uD83D\uDC0B", "x".repeat(64), "a'b", "a\"b"}) {
            Shell.Run run = shell.run("create", name);
            assertThat(run.code()).as(name).isEqualTo(2);
            assertThat(run.err()).as(name).startsWith("slipring: ");
        }
    }

    @Test
    void aPasswordIsNeverShown() {
        Shell.Run run =
                shell.run("info", "--url", "nonsense://me:s3cr@t/x@host/db?password=s3cret");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("nonsense:***@host").doesNotContain("s3cr");
        String stray = "postgresql://me:s3 s3's3\"s3@host/db?password=a s3";
        for (String[] line : new String[][] {{"info", "two", stray}, {stray}, {"info", stray}}) {
            run = shell.run(line);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("postgresql://").doesNotContain("s3");
        }
    }

    /** Otherwise whoever chooses an argument of a script would have any file shown. */
    @Test
    void anArgumentIsNoFileOfArguments(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "two three hunter2\n");
        Shell.Run run = shell.run("info", "@" + file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("'@" + file + "'").doesNotContain("hunter2");
        run = shell.run("info", "@@two");
        assertThat(run.err()).contains("'@@two'");
    }

    /** So that it fits on a screen; the rest is in the help of each. */
    @Test
    void theHelpHasALineForEachCommand() {
        List<String> lines = shell.run("--help").lines();
        List<String> commands =
                lines.subList(lines.indexOf("Commands:") + 1, lines.lastIndexOf(""));
        assertThat(commands).hasSizeGreaterThan(10).allMatch(it -> it.matches("  [a-z]+ +[A-Z].*"));
    }

    @Test
    void helpEverywhere() {
        for (String command :
                new String[] {
                    "push",
                    "pop",
                    "create",
                    "info",
                    "stage",
                    "stage r add",
                    "dead",
                    "dead r ls",
                    "purge",
                    "drop",
                    "resize",
                    "check",
                    "migrate",
                    "migrate print",
                    "demo",
                    "completion"
                }) {
            Shell.Run run = shell.run((command + " --help").split(" "));
            assertThat(run.code()).as(command).isZero();
            assertThat(run.text()).as(command).contains("Usage: slipring").contains("--url");
        }
        assertThat(shell.run("stage", "r", "rewind", "--help").text())
                .contains("Usage: slipring stage RING rewind [-h]");
        assertThat(shell.run("dead", "r", "ls", "--help").text())
                .contains("Usage: slipring dead RING ls [-h]");
        assertThat(shell.run("stage", "two", "add", "c", "--nonsense").err())
                .contains("see 'slipring stage RING add --help'");
        assertThat(shell.run("--version").text()).startsWith("slipring 0.");
        assertThat(shell.run("completion").text()).contains("complete ");
    }

    @Test
    void theSameRingAgainIsFine() {
        assertThat(shell.run("create", "two", "--stage", "b:after=a", "--stage", "a").code())
                .isZero();
    }
}
