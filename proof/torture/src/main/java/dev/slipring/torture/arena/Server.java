// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;

/** A server that can be killed and started. */
public interface Server {

    /** Ends its processes with {@code kill -9}. */
    void kill() throws IOException, InterruptedException;

    /** Starts it again, and returns when it takes connections. */
    void start() throws IOException, InterruptedException;

    /** The number of its first process. */
    long pid();

    /** Makes it take connections again if something has ended it. */
    void revive() throws IOException, InterruptedException;
}
