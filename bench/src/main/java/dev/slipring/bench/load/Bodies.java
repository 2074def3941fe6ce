// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Bodies of 300 bytes, all different and none compressible: each is one of some random arrays, with
 * its number in the first eight bytes. A number always has the same body, so after the measuring
 * the numbers alone tell what was pushed.
 */
public final class Bodies {

    /** How long a body is. */
    public static final int BYTES = 300;

    /** A prime, so that batches of round sizes do not begin with the same array each time. */
    private static final int ARRAYS = 20_011;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[][] POOL = random();

    private Bodies() {}

    private static byte[][] random() {
        Random random = new Random(300);
        byte[][] pool = new byte[ARRAYS][BYTES];
        for (byte[] body : pool) {
            random.nextBytes(body);
        }
        return pool;
    }

    /** The body of a number, in an array of its own. */
    public static byte[] body(long number) {
        byte[] body = POOL[(int) (number % ARRAYS)].clone();
        LONGS.set(body, 0, number);
        return body;
    }

    /** The bodies of consecutive numbers. */
    public static List<byte[]> bodies(long first, int count) {
        List<byte[]> bodies = new ArrayList<>(count);
        for (long number = first; number < first + count; number++) {
            bodies.add(body(number));
        }
        return bodies;
    }

    /** The number of a body. */
    public static long number(byte[] body) {
        return (long) LONGS.get(body, 0);
    }

    /** A hash in which every byte and its place counts. */
    public static long hash(byte[] body, int length) {
        // Four chains, since a processor multiplies four numbers in nearly the time of one, and
        // this time is the bench's, not the queue's.
        long one = length;
        long two = ~length;
        long three = 31L * length;
        long four = 37L * length;
        int at = 0;
        for (; at + 32 <= length; at += 32) {
            one = mix(one ^ word(body, at));
            two = mix(two ^ word(body, at + 8));
            three = mix(three ^ word(body, at + 16));
            four = mix(four ^ word(body, at + 24));
        }
        for (; at + 8 <= length; at += 8) {
            one = mix(one ^ word(body, at));
        }
        if (at < length && length >= 8) {
            two = mix(two ^ word(body, length - 8));
        }
        for (; at < length && length < 8; at++) {
            two = mix(two ^ body[at]);
        }
        return mix(mix(mix(one) + 3 * mix(two)) + 5 * mix(three) + 7 * mix(four));
    }

    private static long word(byte[] body, int at) {
        return (long) LONGS.get(body, at);
    }

    private static long mix(long value) {
        long product = value * 0x9E3779B97F4A7C15L;
        return product ^ (product >>> 32);
    }
}
