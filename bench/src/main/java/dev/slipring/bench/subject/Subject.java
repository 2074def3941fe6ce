// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.util.List;

/** A queue under test, open. */
public interface Subject extends AutoCloseable {

    /** Pushes bodies, all or none; returns when they are durable. Waits for room. Thread-safe. */
    void push(List<byte[]> bodies) throws Exception;

    /**
     * Says that what was taken before is done, and takes what is there, at most so many; waits a
     * moment for the first. One thread at a time for each stage.
     *
     * @return how many there were
     */
    int take(int stage, int most, Sink sink) throws Exception;

    /** Says that what was taken last is done. */
    void finish(int stage) throws Exception;

    /** Has the messages of the first stage handled by so many threads, until closed. */
    AutoCloseable handle(int threads, Sink sink) throws Exception;

    /** How many messages wait, in the stage where most do. */
    long waiting() throws Exception;

    /** How many bytes are held for each message that waits, those of all stages together. */
    double heldPerMessage() throws Exception;

    @Override
    void close() throws Exception;
}
