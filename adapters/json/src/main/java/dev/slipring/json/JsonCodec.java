// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.slipring.Codec;

import java.io.IOException;

/**
 * Values of a type as JSON in UTF-8. Thread-safe.
 *
 * @param <T> the type
 */
public final class JsonCodec<T> implements Codec<T> {

    private final Class<T> type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private JsonCodec(Class<T> type, ObjectMapper mapper) {
        this.type = type;
        this.reader = mapper.readerFor(type);
        this.writer = mapper.writerFor(type);
    }

    /** A codec for a type, with Jackson's defaults. */
    public static <T> JsonCodec<T> of(Class<T> type) {
        return of(type, new ObjectMapper());
    }

    /** A codec for a type, by a mapper of the caller's. */
    public static <T> JsonCodec<T> of(Class<T> type, ObjectMapper mapper) {
        return new JsonCodec<>(type, mapper);
    }

    @Override
    public byte[] encode(T value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "a "
                            + type.getSimpleName()
                            + " cannot be written as JSON: "
                            + e.getOriginalMessage(),
                    e);
        }
    }

    @Override
    public T decode(byte[] body) {
        try {
            return reader.readValue(body);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "a body of "
                            + body.length
                            + " bytes is no "
                            + type.getSimpleName()
                            + " in JSON: "
                            + e.getMessage(),
                    e);
        }
    }
}
