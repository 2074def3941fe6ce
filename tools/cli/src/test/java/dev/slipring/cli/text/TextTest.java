// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Passwords;
import dev.slipring.graph.Mode;
import dev.slipring.graph.PrintableText;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What people type. */
class TextTest {

    @Test
    void durations() {
        assertThat(DurationText.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(DurationText.parse("1.5s")).isEqualTo(Duration.ofMillis(1_500));
        assertThat(DurationText.parse("2h")).isEqualTo(Duration.ofHours(2));
        assertThat(DurationText.parseWait("2")).isEqualTo(Duration.ofSeconds(2));
        assertThat(DurationText.parseWait("0.25")).isEqualTo(Duration.ofMillis(250));
        assertThat(DurationText.parseWait("forever")).isEqualTo(Options.FOREVER);
        assertThat(DurationText.show(Duration.ofMillis(90_061_000))).isEqualTo("1d 1h");
        assertThat(DurationText.show(Duration.ofMillis(1_999))).isEqualTo("1.9s");
        assertThat(DurationText.show(Duration.ofMillis(-2_000))).isEqualTo("-2s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1 s", "1e3s", "99999999999999d", "NaN"})
    void noDurations(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void sizes() {
        assertThat(SizeText.parseBytes("64KiB")).isEqualTo(65_536);
        assertThat(SizeText.parseBytes("2g")).isEqualTo(2L << 30);
        assertThat(SizeText.parseBytes("1,000")).isEqualTo(1_000);
        assertThat(SizeText.parseBytes("7B")).isEqualTo(7);
        assertThat(SizeText.parseCount("2M")).isEqualTo(2_000_000);
        assertThat(SizeText.showBytes(1L << 30)).isEqualTo("1 GiB");
        assertThat(SizeText.showBytes(17_700)).isEqualTo("17.3 KiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5G", "9999999999T", "_", "99999999999999999999"})
    void noSizes(String text) {
        assertThatThrownBy(() -> SizeText.parseBytes(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void stages() {
        StageText text = StageText.parse("alert:after=locate+grade:ordered:lease=2s:tries=9");
        assertThat(text.after()).isEqualTo(Set.of("locate", "grade"));
        assertThat(text.stage().mode()).isEqualTo(Mode.ORDERED);
        assertThat(text.stage().lease()).isEqualTo(Duration.ofSeconds(2));
        assertThat(text.stage().tries()).isEqualTo(9);
    }

    @Test
    void starts() {
        assertThat(StartText.parse(null)).isEqualTo(Start.OLDEST);
        assertThat(StartText.parse("newest")).isEqualTo(Start.NEWEST);
        assertThat(StartText.parse("2026-01-31T12:00:00Z").time())
                .isEqualTo(Instant.parse("2026-01-31T12:00:00Z"));
        assertThat(StartText.parse("10m").time()).isBefore(Instant.now());
        assertThat(StartText.parse("2026-01-31").time()).isNotNull();
        assertThatThrownBy(() -> StartText.parse("soon")).hasMessageContaining("'soon'");
    }

    @Test
    void secrets() {
        assertThat(Passwords.masked("at 'x://me:a@b/c@host/db' no"))
                .isEqualTo("at 'x://me:***@host/db' no");
        assertThat(Passwords.masked("x://h/db?user=me&password=abc&ssl=1"))
                .isEqualTo("x://h/db?user=me&password=***&ssl=1");
        assertThat(Passwords.masked("x://h;user=me;password={a;b c};encrypt=true"))
                .isEqualTo("x://h;user=me;password=***;encrypt=true");
        assertThat(Passwords.masked("x://user:password@host/db and X://USER:PASSWORD@HOST"))
                .isEqualTo("x://user:password@host/db and X://USER:PASSWORD@HOST");
        assertThat(Passwords.masked("sqlite:a@b.db")).isEqualTo("sqlite:a@b.db");
    }

    @Test
    void secretsWithAnyCharacters() {
        for (String password : List.of("it's", "pa ss", "a@b", "a?b", "a:b", "a\"b")) {
            assertThat(Passwords.maskedUrl("x://app:" + password + "@host:1/db?ssl=1"))
                    .isEqualTo("x://app:***@host:1/db?ssl=1");
        }
        assertThat(Passwords.maskedUrl("x://host:1/db?user=a")).isEqualTo("x://host:1/db?user=a");
        assertThat(Passwords.maskedUrl("sqlite:a@b.db")).isEqualTo("sqlite:a@b.db");
        assertThat(Passwords.masked("x://h;password={pa}}ss};accessToken=a;keyStoreSecret=b"))
                .isEqualTo("x://h;password=***;accessToken=***;keyStoreSecret=***");
    }

    /** Nobody can tell where they end: what stands behind them is masked too. */
    @Test
    void secretsAmongTheOptionsOfAUrl() {
        for (String password :
                List.of(
                        "hush",
                        "a'hush",
                        "a hush",
                        "a@hush",
                        "a\"hush",
                        "a&hush=1",
                        "a;hush",
                        "a\nhush")) {
            for (String url :
                    List.of(
                            "mysql://host:1/db?user=me&password=" + password,
                            "mysql://host/db?password=" + password + "&user=me",
                            "jdbc:sqlserver://host:1;password=" + password + ";encrypt=true",
                            "jdbc:sqlserver://me:hush@host:1/db?trustStorePassword=" + password)) {
                assertThat(Passwords.maskedUrl(url))
                        .startsWith(url.substring(0, url.indexOf("//") + 2))
                        .doesNotContain("hush")
                        .endsWith("***");
                assertThat(Options.url(url).toString()).doesNotContain("hush");
                assertThat(Opening.of(url).toString()).doesNotContain("hush");
            }
        }
        assertThat(Options.url("postgres:/me:hush@host/db").toString()).doesNotContain("hush");
        assertThat(Passwords.maskedUrl("jdbc:sqlite:/a:b@c.db")).isEqualTo("jdbc:sqlite:/a:b@c.db");
    }

    /** An error may quote what is long. */
    @Test
    void secretsInLongTexts() {
        String word = "a".repeat(1_000_000);
        String braces = "{" + "a}}b".repeat(100_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    assertThat(Passwords.masked("'" + word + "' is wrong"))
                            .isEqualTo("'" + word + "' is wrong");
                    assertThat(Passwords.masked("password={" + word + "};a=b"))
                            .isEqualTo("password=***;a=b");
                    assertThat(Passwords.masked("pwd=" + braces + "};a=b"))
                            .isEqualTo("pwd=***;a=b");
                    assertThat(Passwords.masked("pwd=" + braces + " c")).isEqualTo("pwd=***");
                    assertThat(Passwords.masked("pwd={" + word + " b")).isEqualTo("pwd=*** b");
                });
    }

    @Test
    void whatATerminalWouldObey() {
        assertThat(PrintableText.of("a\u001b[2Jb\u009b2Jc\u202ed\ne\u2028f"))
                .isEqualTo("a [2Jb 2Jc d e f");
        assertThat(PrintableText.of("Zo\u00eb \ud83d\udc0b")).isEqualTo("Zo\u00eb \ud83d\udc0b");
    }

    @Test
    void secretsOfUrlsThatAreMistyped() {
        for (String url :
                List.of(
                        "postgresql:/shop:hunter2@h:1/shop",
                        "postgresql:shop:hunter2@h/x",
                        "shop:hunter2@h/x",
                        "foo://sa:hunt er2@h/d",
                        "foo://sa@x:hunter2@h/d",
                        "foo://h/d?user=a&password=hunt@er2",
                        "foo://h/d?user=a&password=a'hunter2")) {
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no engine for the URL")
                    .hasMessageNotContaining("er2");
        }
    }
}
