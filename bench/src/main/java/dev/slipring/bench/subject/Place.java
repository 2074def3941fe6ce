// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** Where a queue keeps its messages. Closing removes it with all that is in it. */
public interface Place extends AutoCloseable {

    /** The same string as long as nothing was written; empty if nothing is ever written. */
    String fingerprint();

    @Override
    void close();
}
