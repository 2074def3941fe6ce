// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Turns values into bodies and back. Thread-safe. JSON is in a module of its own.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {

    /** The body of a value. */
    byte[] encode(T value);

    /**
     * The value of a body.
     *
     * @throws IllegalArgumentException if the body is not the encoding of a value
     */
    T decode(byte[] body);

    /** Bodies as they are. */
    static Codec<byte[]> bytes() {
        return new Codec<>() {
            @Override
            public byte[] encode(byte[] value) {
                return value;
            }

            @Override
            public byte[] decode(byte[] body) {
                return body;
            }
        };
    }

    /**
     * Text in UTF-8; a body that is not UTF-8 is refused, and a text with an unpaired surrogate.
     */
    static Codec<String> text() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return Message.bytes(value);
            }

            @Override
            public String decode(byte[] body) {
                try {
                    return StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(body))
                            .toString();
                } catch (CharacterCodingException e) {
                    throw new IllegalArgumentException(
                            "a body of " + body.length + " bytes is not UTF-8", e);
                }
            }
        };
    }
}
