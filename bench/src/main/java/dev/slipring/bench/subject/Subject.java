// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.util.List;
import java.util.function.Consumer;

/** A queue under test, open. */
public interface Subject extends AutoCloseable {

    /** Pushes bodies, all or none; returns when they are durable. Waits for room. Thread-safe. */
    void push(List<byte[]> bodies) throws Exception;

    /**
     * Reports as done what was taken before, and takes what is there, at most {@code most}
     * messages; waits a moment for the first. One thread at a time for each stage.
     *
     * @return how many there were
     */
    int take(int stage, int most, Sink sink) throws Exception;

    /** Reports as done what was taken last. */
    void finish(int stage) throws Exception;

    /**
     * Has this many threads handle the messages of the first stage, until it is closed.
     *
     * @param failing is told what a thread ends of, as soon as it does
     */
    AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing) throws Exception;

    /** How many messages wait in the stage that has the most. */
    long waiting() throws Exception;

    /** How many bytes the queue holds for each message that waits, for all stages together. */
    double heldPerMessage() throws Exception;

    @Override
    void close() throws Exception;
}
