// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import java.io.IOException;

/** A worker that claims messages, does a part of them, and dies in the middle. */
interface Doomed extends AutoCloseable {

    /** What it is, in words. */
    String words();

    /** Lets it claim; returns when it has its claim in hand and has done a part. */
    Hand claim() throws IOException;

    /** Kills it; returns how, in words. */
    String kill() throws InterruptedException;

    @Override
    void close();

    /**
     * What it has in hand.
     *
     * @param from the position of the first message
     * @param to the position behind the last one
     * @param messages how many there are
     * @param handled how many of them it has handled, without a word to the ring
     */
    record Hand(long from, long to, int messages, int handled) {}
}
