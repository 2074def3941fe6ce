// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Bodies of 300 bytes, every one different and none compressible: one of some random arrays,
 * with its number in the first eight bytes. A number's body is always the same, so what was pushed
 * can be told from the numbers alone, after the measuring.
 */
public final class Bodies {

    /** How long a body is. */
    public static final int BYTES = 300;

    /** A prime, so that batches of round sizes do not begin with the same array each time. */
    private static final int ARRAYS = 20_011;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
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
        long even = length;
        long odd = ~length;
        int at = 0;
        // Two chains, since a processor multiplies two numbers in nearly the time of one.
        for (; at + 16 <= length; at += 16) {
            even = mix(even ^ (long) LONGS.get(body, at));
            odd = mix(odd ^ (long) LONGS.get(body, at + 8));
        }
        for (; at < length; at++) {
            even = mix(even ^ body[at]);
        }
        return mix(even + 31 * mix(odd));
    }

    private static long mix(long value) {
        long product = value * 0x9E3779B97F4A7C15L;
        return product ^ (product >>> 32);
    }
}
