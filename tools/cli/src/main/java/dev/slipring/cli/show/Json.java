// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON objects of one line each. */
public final class Json {

    /**
     * The parser's limits. What it reads is not kept, so input may be as deep and long as a
     * message.
     */
    private static final int MOST = 1 << 26;

    /** Makes generators and parsers. */
    public static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MOST)
                                    .maxNumberLength(MOST)
                                    .maxNameLength(MOST)
                                    .maxStringLength(MOST)
                                    .build())
                    .build();

    private Json() {}

    /** What an object has in it. */
    @FunctionalInterface
    public interface Fields {

        /** Writes the fields. */
        void write(JsonGenerator out) throws IOException;
    }

    /** An object on one line. */
    public static String line(Fields fields) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(line)) {
            object(out, fields);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Writes an object on a line of its own, piece by piece, as it may be large. */
    public static void line(OutputStream to, Fields fields) throws IOException {
        try (JsonGenerator out = FACTORY.createGenerator(to)) {
            object(out, fields);
        }
        to.write('\n');
        to.flush();
    }

    /** Writes an object. */
    public static void object(JsonGenerator out, Fields fields) throws IOException {
        out.writeStartObject();
        fields.write(out);
        out.writeEndObject();
    }

    /** Writes a field that is a list of texts. */
    public static void strings(JsonGenerator out, String field, Collection<String> values)
            throws IOException {
        out.writeArrayFieldStart(field);
        for (String value : values) {
            out.writeString(value);
        }
        out.writeEndArray();
    }

    /**
     * Writes fields: texts, booleans, whole numbers, lists of texts, and maps with these as values.
     */
    public static void facts(JsonGenerator out, Map<String, ?> facts) throws IOException {
        for (Map.Entry<String, ?> fact : facts.entrySet()) {
            String name = fact.getKey();
            Object value = fact.getValue();
            if (value instanceof Number number) {
                out.writeNumberField(name, number.longValue());
            } else if (value instanceof Boolean truth) {
                out.writeBooleanField(name, truth);
            } else if (value instanceof Collection<?> texts) {
                strings(out, name, texts.stream().map(String::valueOf).toList());
            } else if (value instanceof Map<?, ?> more) {
                Map<String, Object> inner = new LinkedHashMap<>();
                more.forEach((key, part) -> inner.put(String.valueOf(key), part));
                out.writeFieldName(name);
                object(out, fields -> facts(fields, inner));
            } else {
                out.writeStringField(name, String.valueOf(value));
            }
        }
    }

    /** Writes a field in milliseconds; null if there is no duration. */
    public static void millis(JsonGenerator out, String field, Duration duration)
            throws IOException {
        if (duration == null) {
            out.writeNullField(field);
        } else {
            out.writeNumberField(field, duration.toMillis());
        }
    }
}
