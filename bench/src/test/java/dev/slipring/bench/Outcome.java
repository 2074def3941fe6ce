// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a bench has printed as JSON lines. */
final class Outcome {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Outcome() {}

    /** Runs a bench; returns its lines. */
    static List<JsonNode> of(BenchRequest request) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Bench.run(request.asJson(), new PrintStream(out, true, StandardCharsets.UTF_8), quiet());
        List<JsonNode> rows = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
            rows.add(new ObjectMapper().readTree(line));
        }
        return rows;
    }

    /**
     * Runs one round of a bench; returns its lines. On a busy machine nothing may come in a short
     * window: then longer ones are measured, until something comes or one is too long to wait for.
     */
    static List<JsonNode> counted(BenchRequest request, Duration window) throws IOException {
        List<JsonNode> rows = of(request.rounds(1, window));
        boolean counted =
                rows.stream().allMatch(row -> row.get("messages_per_second").asDouble() > 0);
        return counted || window.compareTo(LONGEST) >= 0
                ? rows
                : counted(request, window.multipliedBy(10));
    }

    /** A stream that drops what is printed. */
    static PrintStream quiet() {
        return new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    }
}
