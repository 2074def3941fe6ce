// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.torture.Course;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * The body of a tortured message: its producer, its number there, and bytes that follow from both.
 *
 * @param producer the number of the producer
 * @param number the number of the message with its producer, from 0
 */
record Body(int producer, int number) {

    private static final int HEAD = 8;
    private static final int RARELY_LARGE = 20_000;
    private static final String HEADER = "from";

    private long mixed(long of) {
        long x = (producer * 0x9E3779B97F4A7C15L) ^ (number * 0xC2B2AE3D27D4EB4FL) ^ of;
        x = (x ^ (x >>> 31)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 29);
    }

    byte[] bytes() {
        long size = mixed(1) >>> 1;
        int length = HEAD + (int) (size % 1_000 == 0 ? RARELY_LARGE : size % 120);
        ByteBuffer buffer = ByteBuffer.allocate(length).putInt(producer).putInt(number);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(mixed(buffer.position()));
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) mixed(buffer.position()));
        }
        return buffer.array();
    }

    /** Whether a message is one of those that the picky stage cannot handle, one of so many. */
    static boolean isPoison(Delivery delivery, int per) {
        Body body = read(delivery);
        return body != null && Long.remainderUnsigned(body.mixed(2), per) == 0;
    }

    private Map<String, String> headers() {
        return number % 5 == 0 ? Map.of(HEADER, producer + "/" + number) : Map.of();
    }

    /** The whole message, whose key and headers follow from its number. */
    Message message() {
        Message message = Message.of(bytes());
        String key = Course.key(number);
        message = key == null ? message : message.key(key);
        return headers().isEmpty() ? message : message.header(HEADER, headers().get(HEADER));
    }

    /** The body of a delivery; null if the delivery is not exactly what was pushed. */
    static Body read(Delivery delivery) {
        Body body = read(delivery.body());
        boolean whole =
                body != null
                        && Objects.equals(Course.key(body.number), delivery.key())
                        && body.headers().equals(delivery.headers());
        return whole ? body : null;
    }

    /** The body in these bytes; null if they are none. */
    private static Body read(byte[] bytes) {
        if (bytes.length < HEAD) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Body body = new Body(buffer.getInt(), buffer.getInt());
        return Arrays.equals(body.bytes(), bytes) ? body : null;
    }
}
