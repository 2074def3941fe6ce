// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** Takes the bodies that a queue under test delivers. */
@FunctionalInterface
public interface Sink {

    /**
     * Takes a body.
     *
     * @param body an array that the queue may use again when this returns
     * @param length how many bytes of it are the body
     */
    void take(byte[] body, int length);
}
