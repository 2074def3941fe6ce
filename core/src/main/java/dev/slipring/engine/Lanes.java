// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Which lane a key belongs to, the same in every language and database. */
public final class Lanes {

    private Lanes() {}

    /**
     * The lane of a key: the first four bytes of the MD5 of its UTF-8, as an unsigned number,
     * modulo the lanes.
     */
    public static int of(String key, int lanes) {
        if (lanes == 1) {
            return 0;
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("MD5").digest(key.getBytes(StandardCharsets.UTF_8));
            return (int) ((ByteBuffer.wrap(digest).getInt() & 0xFFFF_FFFFL) % lanes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no MD5", e);
        }
    }
}
