// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;

/** A database server that the adversary may kill. */
public interface Server {

    /** Ends its processes with {@code kill -9}. */
    void kill() throws IOException, InterruptedException;

    /** Starts it again, and returns when it takes connections. */
    void start() throws IOException, InterruptedException;
}
