// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;

import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Survey;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Lets an {@code ObjectMapper} write what Slipring answers, for pages and scripts: a {@link
 * Survey}, a {@link Delivery} and a {@link DeadLetter}. The fields are those of the command line's
 * {@code --json}. A body that is no text is base64, and {@code encoding} says so. Nothing is read.
 */
public final class SlipringModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    /** For {@code ObjectMapper.registerModule}, or as a bean of Spring Boot's. */
    public SlipringModule() {
        super("slipring");
        add(Survey.class, (survey, out) -> SurveyFields.write(out, survey));
        add(Delivery.class, (delivery, out) -> write(out, delivery));
        add(
                DeadLetter.class,
                (letter, out) -> {
                    out.writeStringField("stage", letter.stage());
                    write(out, letter.delivery());
                    out.writeStringField("error", letter.error());
                    out.writeStringField("worker", letter.worker());
                    out.writeStringField("failed_at", letter.failedAt().toString());
                });
    }

    /** Writes the fields of an object. */
    private interface Fields<T> {

        void write(T value, JsonGenerator out) throws IOException;
    }

    private <T> void add(Class<T> type, Fields<T> fields) {
        addSerializer(
                type,
                new JsonSerializer<>() {
                    @Override
                    public void serialize(T value, JsonGenerator out, SerializerProvider any)
                            throws IOException {
                        out.writeStartObject();
                        fields.write(value, out);
                        out.writeEndObject();
                    }
                });
    }

    private static void write(JsonGenerator out, Delivery delivery) throws IOException {
        out.writeStringField("id", delivery.id());
        out.writeStringField("key", delivery.key());
        out.writeObjectFieldStart("headers");
        for (Map.Entry<String, String> header : delivery.headers().entrySet()) {
            out.writeStringField(header.getKey(), header.getValue());
        }
        out.writeEndObject();
        out.writeNumberField("attempt", delivery.attempt());
        byte[] body = delivery.body();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(body);
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            out.writeStringField("body", text);
        } catch (CharacterCodingException noText) {
            out.writeBinaryField("body", body);
            out.writeStringField("encoding", "base64");
        }
    }
}
