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

/**
 * Lets an {@code ObjectMapper} write what Slipring answers, for pages and scripts: a {@link Survey}
 * ({@link SurveyFields}), a {@link Delivery} and a {@link DeadLetter} ({@link MessageFields}).
 * Nothing is read.
 */
public final class SlipringModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    /** For {@code ObjectMapper.registerModule}, or as a bean of Spring Boot's. */
    public SlipringModule() {
        super("slipring");
        add(Survey.class, SurveyFields::write);
        add(Delivery.class, MessageFields::write);
        add(DeadLetter.class, MessageFields::write);
    }

    /** Writes the fields of an object. */
    private interface Fields<T> {

        void write(JsonGenerator out, T value) throws IOException;
    }

    private <T> void add(Class<T> type, Fields<T> fields) {
        addSerializer(
                type,
                new JsonSerializer<>() {
                    @Override
                    public void serialize(T value, JsonGenerator out, SerializerProvider any)
                            throws IOException {
                        out.writeStartObject();
                        fields.write(out, value);
                        out.writeEndObject();
                    }
                });
    }
}
