// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.ForwardingSubject;
import dev.slipring.bench.subject.Sink;
import dev.slipring.bench.subject.Subject;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A queue with a backlog that stays: a take waits until more messages wait than are to stay.
 * Otherwise takes would use up the backlog: they would take twice as many messages as are pushed
 * meanwhile, and slow the pushes down.
 */
final class Backed extends ForwardingSubject {

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long backlog;
    private long waiting;

    /**
     * A queue with one stage.
     *
     * @param backlog how many messages are to stay
     * @param waiting how many wait now
     */
    Backed(Subject subject, long backlog, long waiting) {
        super(subject);
        this.backlog = backlog;
        this.waiting = waiting;
    }

    @Override
    public void push(List<byte[]> bodies) throws Exception {
        super.push(bodies);
        add(bodies.size());
    }

    @Override
    public int take(int stage, int most, Sink sink) throws Exception {
        if (!awaitMore()) {
            return 0;
        }
        int taken = super.take(stage, most, sink);
        add(-taken);
        return taken;
    }

    private synchronized void add(int messages) {
        waiting += messages;
        notifyAll();
    }

    /** Waits a moment; false if no more messages wait then than are to stay. */
    private synchronized boolean awaitMore() throws InterruptedException {
        long end = System.nanoTime() + MOMENT_NANOS;
        long left = MOMENT_NANOS;
        while (waiting <= backlog && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        return waiting > backlog;
    }
}
