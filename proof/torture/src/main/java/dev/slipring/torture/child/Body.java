// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.nio.ByteBuffer;

/**
 * The body of a tortured message: who pushed it, which of his it is, and bytes that follow from
 * both.
 *
 * @param producer who
 * @param number which, from 0
 */
record Body(int producer, int number) {

    private static final int HEAD = 8;
    private static final int RARELY_LARGE = 20_000;

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

    /** What a body says; null if it is not one. */
    static Body read(byte[] bytes) {
        if (bytes.length < HEAD) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Body body = new Body(buffer.getInt(), buffer.getInt());
        return java.util.Arrays.equals(body.bytes(), bytes) ? body : null;
    }
}
