// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.DeadLetter;
import dev.slipring.Delivery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message as the fields of a JSON object: its id, key, headers in the order of their names,
 * attempt and body. A body that is not UTF-8 text is base64, and {@code encoding} says so. Any
 * thread, each with a generator of its own.
 */
public final class MessageFields {

    private MessageFields() {}

    /** Writes a message into an object that has begun. */
    public static void write(JsonGenerator out, Delivery delivery) throws IOException {
        out.writeStringField("id", delivery.id());
        out.writeStringField("key", delivery.key());
        out.writeObjectFieldStart("headers");
        // In any other order each process would write the same message in another way.
        for (Map.Entry<String, String> header : new TreeMap<>(delivery.headers()).entrySet()) {
            out.writeStringField(header.getKey(), header.getValue());
        }
        out.writeEndObject();
        out.writeNumberField("attempt", delivery.attempt());
        byte[] body = delivery.body();
        if (isText(ByteBuffer.wrap(body))) {
            text(out, body);
        } else {
            out.writeBinaryField("body", body);
            out.writeStringField("encoding", "base64");
        }
    }

    /** Writes a dead letter into an object that has begun: also its stage, and why it died. */
    public static void write(JsonGenerator out, DeadLetter letter) throws IOException {
        out.writeStringField("stage", letter.stage());
        write(out, letter.delivery());
        out.writeStringField("error", letter.error());
        out.writeStringField("worker", letter.worker());
        out.writeStringField("failed_at", letter.failedAt().toString());
    }

    private static void text(JsonGenerator out, byte[] body) throws IOException {
        out.writeFieldName("body");
        try {
            out.writeUTF8String(body, 0, body.length);
        } catch (UnsupportedOperationException noBytes) {
            // A generator of characters, or of a tree.
            out.writeString(new String(body, StandardCharsets.UTF_8));
        }
    }

    /** Whether bytes are UTF-8. They are decoded in pieces, as a message may be large. */
    private static boolean isText(ByteBuffer body) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer piece = CharBuffer.allocate(8_192);
        CoderResult result = CoderResult.OVERFLOW;
        while (result.isOverflow()) {
            result = decoder.decode(body, piece.clear(), true);
        }
        return !result.isError();
    }
}
