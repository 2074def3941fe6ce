// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.slipring.Codec;

import java.io.IOException;
import java.util.Objects;

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
        this.type = Objects.requireNonNull(type, "type");
        this.reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        this.writer = mapper.writerFor(type);
    }

    /**
     * A codec for a type, with Jackson's defaults, but for texts as long as a message may be. So
     * fields that the type does not have are refused, and {@code java.time} is: for these, and for
     * types with parameters, give a mapper of your own, or a class for the purpose.
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        StreamReadConstraints any =
                StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build();
        return of(type, new ObjectMapper(JsonFactory.builder().streamReadConstraints(any).build()));
    }

    /** A codec for a type, by a mapper of the caller's. */
    public static <T> JsonCodec<T> of(Class<T> type, ObjectMapper mapper) {
        return new JsonCodec<>(type, mapper);
    }

    @Override
    public byte[] encode(T value) {
        if (value == null) {
            throw new IllegalArgumentException("null is no " + type.getSimpleName());
        }
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
            T value = reader.readValue(body);
            if (value == null) {
                throw no(body, "it is null", null);
            }
            return value;
        } catch (IOException e) {
            throw no(body, e.getMessage(), e);
        }
    }

    private IllegalArgumentException no(byte[] body, String why, IOException cause) {
        String what = "a body of " + body.length + " bytes is no " + type.getSimpleName();
        return new IllegalArgumentException(what + " in JSON: " + why, cause);
    }
}
