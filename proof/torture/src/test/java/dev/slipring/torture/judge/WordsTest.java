// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Words that several threads of a process say about claims that they have at the same time. */
class WordsTest {

    @TempDir Path folder;

    private List<Hand> read(String... lines) throws IOException {
        Files.write(folder.resolve("worker-1.journal"), List.of(lines));
        return History.read(folder).of("take");
    }

    @Test
    void eachIsAboutItsOwnClaim() throws IOException {
        List<Hand> hands =
                read(
                        "claim 20 10 take 0 0,9,1,0,1 take/0/4",
                        "claim 30 20 take 1 0,9,1,9,1 take/1/8",
                        "word 40 take/0/4 -1 done",
                        "word 41 take/1/8 -1 back",
                        "said 50 take/0/4 ok",
                        "said 51 take/1/8 unknown");
        assertThat(hands.get(0).fate(3)).isEqualTo(Hand.Fate.DONE);
        assertThat(hands.get(1).fate(3)).isEqualTo(Hand.Fate.MAYBE);
    }

    @Test
    void aWordInPartsIsAnsweredAtOnce() throws IOException {
        Hand hand =
                read(
                                "claim 20 10 take 0 0,9,1,0,1 take/0/4",
                                "word 40 take/0/4 2+3 done",
                                "word 41 take/0/4 7 fail 400",
                                "word 42 take/0/4 -1 back",
                                "said 50 take/0/4 ok")
                        .get(0);
        for (long at = 0; at < 9; at++) {
            Hand.Fate fate =
                    at >= 2 && at < 5
                            ? Hand.Fate.DONE
                            : at == 7 ? Hand.Fate.FAILED : Hand.Fate.BACK;
            assertThat(hand.fate(at)).as("message " + at).isEqualTo(fate);
        }
    }

    @Test
    void whatWasAnsweredBeforeStays() throws IOException {
        Hand hand =
                read(
                                "claim 20 10 take 0 0,9,1,0,1 take/0/4",
                                "word 40 take/0/4 0+4 done",
                                "said 50 take/0/4 ok",
                                "word 60 take/0/4 -1 done",
                                "said 70 take/0/4 fenced")
                        .get(0);
        assertThat(hand.fate(3)).isEqualTo(Hand.Fate.DONE);
        assertThat(hand.fate(4)).isEqualTo(Hand.Fate.NONE);
    }
}
