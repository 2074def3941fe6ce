// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.Message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the messages of a slot are written as one value.
 *
 * <pre>
 * byte    format, 1
 * byte    flags; 1: at least one message has a key or headers
 * int     n, how many messages
 * int[n]  where each message ends, counted from the first message's first byte
 * then the messages. Without the flag a message is its body. With it:
 *         int     length of the key in bytes, -1 if there is none; the key
 *         int     number of headers; for each: int length, name, int length, value
 *         the body, to the message's end
 * </pre>
 *
 * Numbers are big-endian, text is UTF-8.
 */
public final class SlotCodec {

    /** Bytes in front of the table of ends. */
    private static final int PREFIX = 6;

    private static final byte FORMAT = 1;
    private static final byte RICH = 1;

    /** What stands for the length of a key that is not there. */
    private static final int NO_KEY = -1;

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private SlotCodec() {}

    /** How many bytes messages count for together. */
    public static long size(Iterable<Message> messages) {
        long size = 0;
        for (Message message : messages) {
            size += size(message);
        }
        return size;
    }

    /** How many bytes a message counts for: its body, key and headers. */
    public static long size(Message message) {
        long size = message.length();
        if (isRich(message)) {
            size += 8 + (message.key() == null ? 0 : utf8(message.key()).length);
            for (Map.Entry<String, String> header : message.headers().entrySet()) {
                size += 8 + utf8(header.getKey()).length + utf8(header.getValue()).length;
            }
        }
        return size;
    }

    /** How many bytes a value has at least beside its messages. */
    public static long overhead(int messages) {
        return PREFIX + 4L * messages;
    }

    /** Writes messages as one value. */
    public static byte[] encode(List<Message> messages) {
        int start = Math.toIntExact(overhead(messages.size()));
        long size = start;
        int rich = 0;
        for (Message message : messages) {
            size += size(message);
            rich += isRich(message) ? 1 : 0;
        }
        if (rich > 0) {
            // Then those without key and headers say so.
            size += 8L * (messages.size() - rich);
        }
        byte[] slot = new byte[Math.toIntExact(size)];
        slot[0] = FORMAT;
        slot[1] = rich > 0 ? RICH : 0;
        INTS.set(slot, 2, messages.size());
        int at = start;
        int end = PREFIX;
        for (Message message : messages) {
            if (rich > 0) {
                at = putRich(slot, at, message);
            }
            message.copyTo(slot, at);
            at += message.length();
            INTS.set(slot, end, at - start);
            end += 4;
        }
        return slot;
    }

    /** How many messages the value has. */
    public static int count(byte[] slot) {
        if (slot.length < PREFIX || slot[0] != FORMAT) {
            throw new IllegalArgumentException(
                    "not a slot: "
                            + slot.length
                            + " bytes, format "
                            + (slot.length == 0 ? "none" : slot[0]));
        }
        int count = (int) INTS.get(slot, 2);
        if (count < 1 || count > (slot.length - PREFIX) / 4) {
            throw new IllegalArgumentException(
                    "not a slot: " + slot.length + " bytes cannot hold " + count + " messages");
        }
        return count;
    }

    /** Whether a value has so many messages, and all of them; more may stand behind. */
    public static boolean isWhole(byte[] slot, int messages) {
        long base = overhead(messages);
        return messages > 0
                && slot.length >= base
                && slot[0] == FORMAT
                && (int) INTS.get(slot, 2) == messages
                && base + (int) INTS.get(slot, (int) base - 4) <= slot.length;
    }

    /**
     * The message at an index; its body is a part of the value, not a copy.
     *
     * @throws IllegalArgumentException if the value is not one that {@link #encode} wrote
     */
    public static Message decode(byte[] slot, int index) {
        int count = count(slot);
        int base = PREFIX + 4 * count;
        int start = index == 0 ? 0 : (int) INTS.get(slot, PREFIX + 4 * (index - 1));
        int end = (int) INTS.get(slot, PREFIX + 4 * index);
        if (start < 0 || end < start || end > slot.length - base) {
            throw new IllegalArgumentException(
                    "not a slot: message " + index + " is from " + start + " to " + end);
        }
        if ((slot[1] & RICH) == 0) {
            return Message.of(null, Map.of(), slot, base + start, end - start);
        }
        ByteBuffer in = ByteBuffer.wrap(slot, base + start, end - start);
        try {
            return getRich(in, slot);
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | NegativeArraySizeException e) {
            throw new IllegalArgumentException(
                    "not a slot: message " + index + " has a broken key or header", e);
        }
    }

    /** Whether any message of the value has a key, so that its lane is not free to choose. */
    public static boolean isKeyed(byte[] slot) {
        int count = count(slot);
        ByteBuffer in = ByteBuffer.wrap(slot);
        int base = PREFIX + 4 * count;
        boolean keyed = false;
        for (int i = 0; i < count && (in.get(1) & RICH) != 0 && !keyed; i++) {
            int start = i == 0 ? 0 : in.getInt(PREFIX + 4 * (i - 1));
            keyed = in.getInt(base + start) >= 0;
        }
        return keyed;
    }

    private static boolean isRich(Message message) {
        return message.key() != null || !message.headers().isEmpty();
    }

    /** Writes key and headers; returns the place behind them. */
    private static int putRich(byte[] slot, int at, Message message) {
        ByteBuffer out = ByteBuffer.wrap(slot).position(at);
        if (message.key() == null) {
            out.putInt(NO_KEY);
        } else {
            putText(out, message.key());
        }
        out.putInt(message.headers().size());
        message.headers()
                .forEach(
                        (name, value) -> {
                            putText(out, name);
                            putText(out, value);
                        });
        return out.position();
    }

    private static Message getRich(ByteBuffer in, byte[] slot) {
        int keyLength = in.getInt();
        String key = keyLength == NO_KEY ? null : getText(in, keyLength);
        int headers = in.getInt();
        if (headers < 0) {
            throw new IndexOutOfBoundsException(headers + " headers");
        }
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < headers; i++) {
            String name = getText(in, in.getInt());
            map.put(name, getText(in, in.getInt()));
        }
        return Message.of(key, map, slot, in.position(), in.remaining());
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] bytes = utf8(text);
        out.putInt(bytes.length).put(bytes);
    }

    private static String getText(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new IndexOutOfBoundsException(
                    "a text of " + length + " bytes where " + in.remaining() + " are left");
        }
        String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return text;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
