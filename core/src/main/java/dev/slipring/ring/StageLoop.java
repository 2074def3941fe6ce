// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import dev.slipring.ring.OnFailure.Verdict;
import dev.slipring.threads.Exits;

import java.util.Objects;

/**
 * One thread of a stage: waits, has the handler called, says done, until the sequence is closed.
 *
 * @param <T> what a slot is
 */
final class StageLoop<T> implements Runnable {

    private final RingQueue<T> queue;
    private final Sequence producer;
    private final Sequence sequence;
    private final Work<T> work;
    private final int most;
    private final Range range = new Range();
    private final SlotBatch<T> batch;

    StageLoop(
            RingQueue<T> queue,
            boolean[] hollow,
            Sequence producer,
            Sequence sequence,
            Work<T> work) {
        this.queue = queue;
        this.producer = producer;
        this.sequence = sequence;
        this.work = work;
        this.most = Math.max(queue.getCapacity() / (Circuit.PIECES * work.threads()), 1);
        this.batch = new SlotBatch<>(queue, hollow, range);
    }

    @Override
    public void run() {
        try {
            while (await() >= 0) {
                if (work.whole() != null) {
                    handleWhole();
                } else {
                    handleEach();
                }
                sequence.done(range);
            }
        } catch (Throwable e) {
            // Whatever it was: others wait for this stage and must learn that it is gone. By the
            // producer, as the stage may be about to leave.
            producer.stop(e);
        }
    }

    /** Whether a thread of a stage has nothing in hand. */
    static boolean isWaiting(Thread thread) {
        return Exits.isIn(thread, StageLoop.class.getName(), "await");
    }

    /** Waits for what comes next; an interrupt was meant for a handler, or left by one. */
    private long await() {
        while (true) {
            try {
                return sequence.waitForNext(range, most, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // Only the end of the sequence ends this thread.
                continue;
            }
        }
    }

    private void handleEach() throws Exception {
        long cursor = range.first();
        int attempt = 1;
        while (cursor <= range.last()) {
            try {
                for (; cursor <= range.last(); cursor++) {
                    if (!batch.isHollow(cursor)) {
                        work.each().handle(queue.get(cursor));
                    }
                    attempt = 1;
                }
            } catch (Exception e) {
                Verdict verdict = verdict(cursor, e, attempt);
                if (isEnd(verdict)) {
                    throw e;
                }
                attempt = verdict == Verdict.RETRY ? attempt + 1 : 1;
                cursor += verdict == Verdict.SKIP ? 1 : 0;
            }
        }
    }

    private Verdict verdict(long cursor, Exception error, int attempt) {
        return Objects.requireNonNull(
                work.onFailure().failed(queue.get(cursor), error, attempt),
                "OnFailure returned no verdict");
    }

    /**
     * Whether this thread ends. If the ring has stopped, it must not retry for ever: others wait
     * for it.
     */
    private boolean isEnd(Verdict verdict) {
        return verdict == Verdict.STOP
                || verdict == Verdict.RETRY && producer.circuit().isStopped();
    }

    private void handleWhole() throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                work.whole().handle(batch);
                return;
            } catch (Exception e) {
                if (!isToRetry(e, attempt)) {
                    return;
                }
            }
        }
    }

    private boolean isToRetry(Exception error, int attempt) throws Exception {
        boolean retry = false;
        for (long cursor = range.first(); cursor <= range.last(); cursor++) {
            if (!batch.isHollow(cursor)) {
                Verdict verdict = verdict(cursor, error, attempt);
                if (isEnd(verdict)) {
                    throw error;
                }
                retry |= verdict == Verdict.RETRY;
            }
        }
        return retry;
    }
}
