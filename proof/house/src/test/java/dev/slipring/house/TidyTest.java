// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits that docs/style.md sets, checked over every source file of the project. */
class TidyTest {

    private static final int MOST_LINES = 400;
    private static final int MOST_COLUMNS = 100;
    private static final Set<String> VAGUE =
            Set.of("util", "utils", "common", "helper", "helpers", "manager");
    private static final Pattern VAGUE_CLASS =
            Pattern.compile(".*(Util|Utils|Helper|Manager|Common)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (static )?([\\w.]+)\\.(\\w+);");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b");

    /** Calls that take their digits and letters from the language of the machine. */
    private static final Pattern OF_ANY_LANGUAGE =
            Pattern.compile(
                    "\\.formatted\\(|\\.to(Low|Upp)erCase\\(\\)"
                            + "|(String\\s*\\.format|\\.printf)\\((?!\\s*Locale)");

    private static List<Path> sources;

    @BeforeAll
    static void find() throws IOException {
        sources = new ArrayList<>(Checkout.files(".java"));
        sources.addAll(Checkout.files(".sql"));
        assertThat(sources).hasSizeGreaterThan(50);
    }

    @Test
    void filesAndLinesAreShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path source : sources) {
            List<String> lines = Files.readAllLines(source);
            if (lines.size() > MOST_LINES) {
                tooLong.add(source + " has " + lines.size() + " lines");
            }
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).codePointCount(0, lines.get(i).length()) > MOST_COLUMNS) {
                    tooLong.add(source + ":" + (i + 1) + " is " + lines.get(i).length() + " wide");
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyFileBeginsWithItsLicence() throws IOException {
        for (Path source : sources) {
            String first = Files.readAllLines(source).get(0);
            assertThat(first).as(source.toString()).endsWith("SPDX-License-Identifier: Apache-2.0");
        }
    }

    @Test
    void namesSayWhatThingsAre() {
        for (Path source : sources) {
            for (Path part : Checkout.ROOT.relativize(source)) {
                assertThat(VAGUE)
                        .as(source.toString())
                        .doesNotContain(part.toString().toLowerCase(Locale.ROOT));
            }
            String name = source.getFileName().toString().replaceFirst("\\.[a-z]+$", "");
            assertThat(VAGUE_CLASS.matcher(name).matches()).as(source.toString()).isFalse();
        }
    }

    @Test
    void everyPackageSaysWhatItIs() throws IOException {
        for (Path source : sources) {
            boolean main = source.toString().replace('\\', '/').contains("/src/main/java/dev/");
            Path info = source.resolveSibling("package-info.java");
            if (main) {
                assertThat(info).as("the package of " + source).exists();
                assertThat(Files.readString(info)).contains("/**");
            }
        }
    }

    @Test
    void nothingIsLeftUnfinished() throws IOException {
        for (Path source : sources) {
            if (!source.endsWith("TidyTest.java")) {
                String text = Files.readString(source, StandardCharsets.UTF_8);
                assertThat(UNFINISHED.matcher(text).find()).as(source.toString()).isFalse();
            }
        }
    }

    @Test
    void whatIsImportedIsUsed() throws IOException {
        List<String> idle = new ArrayList<>();
        for (Path source : Checkout.files(".java")) {
            String text = Files.readString(source);
            Matcher home = PACKAGE.matcher(text);
            String own = home.find() ? home.group(1) : "";
            String body = IMPORT.matcher(text).replaceAll("");
            IMPORT.matcher(text)
                    .results()
                    .filter(
                            one ->
                                    one.group(1) == null && one.group(2).equals(own)
                                            || !body.matches("(?s).*\\b" + one.group(3) + "\\b.*"))
                    .forEach(one -> idle.add(source + ": " + one.group()));
        }
        assertThat(idle).isEmpty();
    }

    @Test
    void whatIsWrittenIsTheSameInEveryLanguage() throws IOException {
        List<String> other = new ArrayList<>();
        for (Path source : Checkout.files(".java")) {
            if (source.toString().replace('\\', '/').contains("/src/main/")) {
                OF_ANY_LANGUAGE
                        .matcher(Files.readString(source))
                        .results()
                        .forEach(one -> other.add(source + ": " + one.group()));
            }
        }
        assertThat(other).isEmpty();
    }

    /** Logs are written in one place, which makes sure that a logger that fails ends nothing. */
    @Test
    void logsAreWrittenInOnePlace() throws IOException {
        List<Path> others = new ArrayList<>();
        for (Path source : Checkout.files(".java")) {
            String name = source.toString().replace('\\', '/');
            boolean ours = name.contains("/src/main/") && !name.endsWith("/engine/Log.java");
            if (ours && Files.readString(source).contains("System.getLogger")) {
                others.add(source);
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void everyMarkdownFileHasOneTitle() throws IOException {
        for (Path page : Checkout.files(".md")) {
            boolean code = false;
            int titles = 0;
            for (String line : Files.readAllLines(page)) {
                code ^= line.startsWith("```");
                titles += !code && line.startsWith("# ") ? 1 : 0;
            }
            assertThat(titles).as(page.toString()).isEqualTo(1);
        }
    }
}
