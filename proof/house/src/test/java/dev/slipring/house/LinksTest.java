// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The targets of links in the documentation exist. */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void pagesPointAtWhatIsThere() throws IOException {
        List<String> broken = new ArrayList<>();
        int seen = 0;
        for (Path page : Checkout.files(".md")) {
            for (String link : found(LINK, Files.readString(page))) {
                if (!link.contains("://")) {
                    seen++;
                    if (!isThere(page, link)) {
                        broken.add(page + " points at " + link);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(seen).isGreaterThan(100);
    }

    private static boolean isThere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        return Files.exists(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /** The anchors that a forge makes from the headings of a page. */
    private static List<String> anchors(Path page) throws IOException {
        return found(HEADING, Files.readString(page)).stream()
                .map(
                        heading ->
                                heading.toLowerCase(Locale.ROOT)
                                        .replaceAll("[^\\w\\- ]", "")
                                        .replace(' ', '-'))
                .toList();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
    }
}
