// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.time.Duration;

/**
 * Hears what happens in this process. Called by the thread that did it, after it took effect, so it
 * must be quick; what it throws is logged and changes nothing. Who hears of a push may be the one
 * who writes for all, so it must not itself push to that ring, close or drop it: that is refused
 * with {@link IllegalStateException}. Every method does nothing unless overridden.
 */
public interface Listener {

    /** Hears nothing. */
    Listener NONE = new Listener() {};

    /** Messages became durable in one transaction. */
    default void pushed(String ring, int messages, long bytes, Duration took) {}

    /** A push found no room and was refused. */
    default void full(String ring, int messages) {}

    /**
     * Messages came into the hand of a worker; {@code redelivered} of them not for the first time.
     */
    default void claimed(String ring, String stage, int messages, int redelivered, Duration took) {}

    /** A worker's word was taken. */
    default void settled(
            String ring, String stage, int done, int failed, int dead, Duration took) {}

    /** A worker's word came too late and was refused. */
    default void fenced(String ring, String stage) {}

    /** A message failed in a handler. */
    default void failed(String ring, String stage, Delivery delivery, Throwable error) {}

    /** The store failed; what asked for it goes on trying or has told its caller. */
    default void storeFailed(String ring, SlipringException error) {}
}
