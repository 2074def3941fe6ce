// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.RingFull;
import dev.slipring.bench.subject.Sink;
import dev.slipring.bench.subject.Subject;

import java.util.List;

/** A queue whose pushes are tried until there is room, and that remembers the first refusal. */
final class Refused implements Subject {

    private final Subject subject;
    private volatile String reason;
    private volatile long since;

    Refused(Subject subject) {
        this.subject = subject;
    }

    /** What the first refusal said; null if there was none. */
    String reason() {
        return reason;
    }

    /** When the push that was refused first began; now if none was. */
    long since() {
        return reason == null ? System.nanoTime() : since;
    }

    @Override
    public void push(List<byte[]> bodies) throws Exception {
        for (boolean pushed = false; !pushed; ) {
            long start = System.nanoTime();
            try {
                subject.push(bodies);
                pushed = true;
            } catch (RingFull e) {
                if (reason == null) {
                    since = start;
                    reason = e.getMessage();
                }
            }
        }
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
    public AutoCloseable handle(int threads, Sink sink) throws Exception {
        return subject.handle(threads, sink);
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
