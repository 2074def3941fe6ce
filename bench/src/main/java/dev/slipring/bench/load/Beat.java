// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.Subject;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Times that are fixed beforehand, one each millisecond, at which threads push a message in turn.
 *
 * <pre>
 *     due    0 ms      1 ms      2 ms      3 ms
 *            thread 0  thread 1  thread 0  thread 1
 * </pre>
 *
 * @param start when the first is due, as {@link System#nanoTime} counts
 * @param all how many there are
 */
public record Beat(long start, long all) {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** When a message is due. */
    long due(long index) {
        return start + index * PERIOD_NANOS;
    }

    /** Pushes all messages, with a thread for each source. */
    public void push(Subject subject, List<Source> sources) throws InterruptedException {
        Trouble trouble = new Trouble();
        List<Thread> pushers = new ArrayList<>();
        for (int thread = 0; thread < sources.size(); thread++) {
            int number = thread;
            pushers.add(
                    trouble.start("bench-push-" + thread, () -> push(subject, sources, number)));
        }
        for (Thread thread : pushers) {
            trouble.join(thread);
        }
    }

    private void push(Subject subject, List<Source> sources, int thread) throws Exception {
        Source source = sources.get(thread);
        for (long index = thread; index < all; index += sources.size()) {
            sleepUntil(due(index));
            subject.push(source.next(1));
            source.pushed(1);
        }
    }

    private static void sleepUntil(long when) {
        for (long left = when - System.nanoTime(); left > 0; left = when - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
