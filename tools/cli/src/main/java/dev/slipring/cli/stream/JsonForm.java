// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.Delivery;
import dev.slipring.cli.show.Json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A message as a JSON object: its id, key, headers, attempt and body. A body that is not UTF-8 text
 * is base64, and the object says so in {@code encoding}.
 */
public final class JsonForm implements Form {

    @Override
    public void write(Delivery delivery, OutputStream out) throws IOException {
        try (JsonGenerator json = Json.FACTORY.createGenerator(out)) {
            Json.object(json, object -> fields(object, delivery));
            json.writeRaw('\n');
        }
    }

    /** Writes the fields of a message. */
    public static void fields(JsonGenerator out, Delivery delivery) throws IOException {
        out.writeStringField("id", delivery.id());
        out.writeStringField("key", delivery.key());
        out.writeObjectFieldStart("headers");
        for (Map.Entry<String, String> header : delivery.headers().entrySet()) {
            out.writeStringField(header.getKey(), header.getValue());
        }
        out.writeEndObject();
        out.writeNumberField("attempt", delivery.attempt());
        byte[] body = delivery.body();
        if (isText(ByteBuffer.wrap(body))) {
            out.writeFieldName("body");
            out.writeUTF8String(body, 0, body.length);
        } else {
            out.writeBinaryField("body", body);
            out.writeStringField("encoding", "base64");
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
