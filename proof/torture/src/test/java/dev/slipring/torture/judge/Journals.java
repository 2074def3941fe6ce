// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The journals of a producer, two workers and a controller, for a judge. */
abstract class Journals {

    static final long LATER = 10_000_000;

    @TempDir Path folder;

    final List<String> producer =
            new ArrayList<>(List.of("push 1000 1 0 2 all", "pushed 2000 1 ok"));
    final List<String> worker = new ArrayList<>();
    final List<String> other = new ArrayList<>();
    final List<String> controller = new ArrayList<>();
    List<Effect> effects = List.of(new Effect(1, 0, 2));

    /** Journals in which two messages go through all stages, and nothing goes wrong. */
    Journals goodDay() {
        done("take", 3_000, "0,2,1,0,1");
        done("book", 7_000, "0,2,1,0,1");
        done("index", 7_000, "0,2,1,0,1");
        done("post", 11_000, "0,2,1,0,1");
        return this;
    }

    void claim(List<String> who, String stage, long at, String runs) {
        claimIn(0, who, stage, at, runs);
    }

    void claimIn(int lane, List<String> who, String stage, long at, String runs) {
        who.add("claim " + (at + 500) + " " + at + " " + stage + " " + lane + " " + runs);
    }

    void word(List<String> who, String stage, long at, String word, String outcome) {
        who.add("word " + at + " " + stage + " " + word);
        who.add("said " + (at + 500) + " " + stage + " " + outcome);
    }

    void done(String stage, long at, String runs) {
        claim(worker, stage, at, runs);
        word(worker, stage, at + 1_000, stage.equals("post") ? "-1 joined" : "-1 done", "ok");
    }

    Verdict judge() throws IOException {
        Files.write(folder.resolve("producer-1.journal"), producer);
        Files.write(folder.resolve("worker-1.journal"), worker);
        Files.write(folder.resolve("worker-2.journal"), other);
        Files.write(folder.resolve("controller.journal"), controller);
        return new Judge(History.read(folder), effects).judge();
    }

    void finds(int promise, String words) throws IOException {
        List<Violation> found = judge().violations();
        assertThat(found)
                .as(found.toString())
                .anyMatch(
                        v ->
                                v.promise() == promise
                                        && v.words().contains(words)
                                        && !v.history().isEmpty());
    }
}
