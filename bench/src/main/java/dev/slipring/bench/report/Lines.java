// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rows as JSON, one object a line, fields in the order of the records. */
public final class Lines {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private Lines() {}

    /** A row as a line, without a line end. */
    public static String line(Record row) {
        try {
            return MAPPER.writeValueAsString(row);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes rows. */
    static void write(Path file, List<RawRow> rows) throws IOException {
        Files.write(file, rows.stream().map(Lines::line).toList());
    }

    /** Reads what {@link #write} wrote. */
    public static List<RawRow> read(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(Lines::row).toList();
    }

    private static RawRow row(String line) {
        try {
            return MAPPER.readValue(line, RawRow.class);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
