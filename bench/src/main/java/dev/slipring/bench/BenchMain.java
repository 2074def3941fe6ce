// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import dev.slipring.SlipringException;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The bench without the command line tool: {@code [WORKLOAD]... [--url U] [--seconds S] [--rounds
 * N] [--json] [--results FOLDER]}.
 */
public final class BenchMain {

    private BenchMain() {}

    /** Measures; the exit code is 1 if a run failed, 2 if it was called wrongly. */
    public static void main(String[] arguments) {
        int code = 0;
        try {
            Bench.run(parse(List.of(arguments)), System.out, System.err);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            code = 2;
        } catch (BenchFailed | SlipringException | UncheckedIOException e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code);
    }

    static BenchRequest parse(List<String> arguments) {
        BenchRequest request = BenchRequest.DEFAULT;
        List<String> workloads = new ArrayList<>();
        Iterator<String> words = arguments.iterator();
        while (words.hasNext()) {
            String word = words.next();
            request =
                    switch (word) {
                        case "--url" -> request.url(value(word, words));
                        case "--seconds" ->
                                request.rounds(request.rounds(), seconds(value(word, words)));
                        case "--rounds" ->
                                request.rounds(
                                        Integer.parseInt(value(word, words)), request.window());
                        case "--json" -> request.asJson();
                        case "--results" -> request.results(Path.of(value(word, words)));
                        default -> {
                            if (word.startsWith("-")) {
                                throw new IllegalArgumentException("no option '" + word + "'");
                            }
                            workloads.add(word);
                            yield request;
                        }
                    };
        }
        return request.workloads(workloads);
    }

    private static Duration seconds(String value) {
        return Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000));
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException("option " + option + " needs a value");
        }
        return words.next();
    }
}
