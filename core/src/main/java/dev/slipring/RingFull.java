// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/**
 * A push found no room before its time-out, or before its ring was closed; nothing of it was
 * stored. Pushes of a process go in their order, so it may also have waited behind a larger one
 * that found no room; then the words say so.
 */
public class RingFull extends SlipringException {

    private static final long serialVersionUID = 1L;

    private final long freeMessages;
    private final long freeBytes;

    /** With the room that there was: less than what was pushed, or than what was in front of it. */
    public RingFull(String message, long freeMessages, long freeBytes) {
        super(message);
        this.freeMessages = freeMessages;
        this.freeBytes = freeBytes;
    }

    /** For how many more messages there was room. */
    public long freeMessages() {
        return freeMessages;
    }

    /** For how many more bytes there was room. */
    public long freeBytes() {
        return freeBytes;
    }
}
