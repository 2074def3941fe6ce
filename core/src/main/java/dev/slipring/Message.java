// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What is pushed and delivered: a body, optionally a key and headers. Immutable, as long as nobody
 * writes to the array that was given as its body; the body that {@link #body()} returns is a copy.
 */
public final class Message {

    private static final int FEW = 16;

    private final String key;
    private final Map<String, String> headers;
    private final byte[] bytes;
    private final int offset;
    private final int length;

    private Message(String key, Map<String, String> headers, byte[] bytes, int offset, int length) {
        this.key = key;
        this.headers = headers;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /** A message with a body, which is not copied. */
    public static Message of(byte[] body) {
        Objects.requireNonNull(body, "body");
        return new Message(null, Map.of(), body, 0, body.length);
    }

    /**
     * A message whose body is the text in UTF-8.
     *
     * @throws IllegalArgumentException if it has an unpaired surrogate, which UTF-8 cannot encode
     */
    public static Message of(String text) {
        return of(bytes(text));
    }

    /** A message whose body is a part of an array, which is not copied. For engines. */
    public static Message of(
            String key, Map<String, String> headers, byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return new Message(key, own(headers), bytes, offset, length);
    }

    /**
     * This message with a key. Messages with one key share a lane, so an ordered stage handles them
     * one after the other.
     */
    public Message key(String newKey) {
        return new Message(whole(newKey, "key"), headers, bytes, offset, length);
    }

    /** This message with headers more; those that it has with the same names are replaced. */
    public Message headers(Map<String, String> others) {
        Map<String, String> more = new TreeMap<>(headers);
        others.forEach(
                (name, value) ->
                        more.put(
                                whole(Objects.requireNonNull(name, "name"), "header"),
                                whole(Objects.requireNonNull(value, "value"), "header")));
        return new Message(key, own(more), bytes, offset, length);
    }

    /**
     * This message with a header more, or another value of one that it has. Copies all that are
     * there: many are given at once, {@link #headers(Map)}.
     */
    public Message header(String name, String value) {
        return headers(
                Map.of(
                        Objects.requireNonNull(name, "name"),
                        Objects.requireNonNull(value, "value")));
    }

    /**
     * A copy; a tree if there are many, as whoever makes their names can make all of them collide.
     */
    private static Map<String, String> own(Map<String, String> headers) {
        if (headers.size() <= FEW) {
            return Map.copyOf(headers);
        }
        headers.values().forEach(Objects::requireNonNull);
        return Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /** A text in UTF-8. */
    static byte[] bytes(String text) {
        return whole(Objects.requireNonNull(text, "text"), "text").getBytes(StandardCharsets.UTF_8);
    }

    /** Refuses text that would not come back as it is: UTF-8 has no unpaired surrogates. */
    private static String whole(String text, String what) {
        if (text != null
                && text.chars().anyMatch(unit -> Character.isSurrogate((char) unit))
                && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("a " + what + " with an unpaired surrogate");
        }
        return text;
    }

    /** The key, or null if there is none. */
    public String key() {
        return key;
    }

    /** The headers; empty if there are none. */
    public Map<String, String> headers() {
        return headers;
    }

    /** A copy of the body. */
    public byte[] body() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The body as UTF-8 text; what is not UTF-8 comes as the replacement character. */
    public String text() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    /** How many bytes the body has. */
    public int length() {
        return length;
    }

    /**
     * Copies the body into an array.
     *
     * @param at where it begins there
     * @throws IndexOutOfBoundsException if it has no room there
     */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, offset, target, at, length);
    }

    /** The body as a read-only buffer, not copied. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, offset, length).slice().asReadOnlyBuffer();
    }

    @Override
    public String toString() {
        return "Message[" + (key == null ? "" : "key " + key + ", ") + length + " bytes]";
    }
}
