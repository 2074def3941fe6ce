// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.util.List;
import java.util.function.Consumer;

/** A queue that hands everything on to another one; a subclass changes what it wants to. */
public abstract class ForwardingSubject implements Subject {

    private final Subject subject;

    protected ForwardingSubject(Subject subject) {
        this.subject = subject;
    }

    @Override
    public void push(List<byte[]> bodies) throws Exception {
        subject.push(bodies);
    }

    @Override
    public int take(int stage, int most, Sink sink) throws Exception {
        return subject.take(stage, most, sink);
    }

    @Override
    public void finish(int stage) throws Exception {
        subject.finish(stage);
    }

    @Override
    public AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing)
            throws Exception {
        return subject.handle(threads, sink, failing);
    }

    @Override
    public long waiting() throws Exception {
        return subject.waiting();
    }

    @Override
    public double heldPerMessage() throws Exception {
        return subject.heldPerMessage();
    }

    @Override
    public void close() throws Exception {
        subject.close();
    }
}
