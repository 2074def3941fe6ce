// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.StoreUnreachable;
import dev.slipring.threads.Ends;
import dev.slipring.threads.VirtualThreads;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls of a server that an interrupt of their thread does not spoil: one that came before would
 * have a pool refuse the connection. Thread-safe.
 *
 * <p>A virtual thread that is interrupted while it uses a socket closes it, also where it speaks
 * for others. So threads made here make the calls of virtual threads, of whom there may be any
 * number: at most {@value #MOST} at a time, as each call takes a connection. Who finds none of them
 * free waits for as long as they get on.
 */
public final class Uninterrupted implements AutoCloseable {

    /** How many calls of virtual threads are made at a time. */
    public static final int MOST = 16;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ThreadPoolExecutor callers;
    private final long patience;

    /** When a call of a virtual thread was over last. */
    private volatile long movedAt = System.nanoTime();

    /** For the calls of one store. */
    public Uninterrupted() {
        this(PATIENCE_NANOS);
    }

    /** For the calls of one store; those that stand still for so long are waited for no more. */
    Uninterrupted(long patienceNanos) {
        patience = patienceNanos;
        callers =
                new ThreadPoolExecutor(
                        MOST,
                        MOST,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread own = new Thread(task, "slipring-calls");
                            own.setDaemon(true);
                            return own;
                        },
                        (task, closed) -> task.run());
        callers.allowCoreThreadTimeOut(true);
    }

    /**
     * Calls, and returns what it returns. An interrupt that comes before, or on a virtual thread
     * meanwhile, is not seen by the call, and not lost: the thread is interrupted again when it is
     * over.
     *
     * @throws StoreUnreachable if this is a virtual thread, and all calls of such threads stand
     *     still; then it was not called
     */
    public <T> T call(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return VirtualThreads.isCurrent() ? callElsewhere(call) : call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T callElsewhere(Supplier<T> call) {
        FutureTask<T> task =
                new FutureTask<>(
                        () -> {
                            try {
                                return call.get();
                            } finally {
                                movedAt = System.nanoTime();
                            }
                        });
        long start = System.nanoTime();
        callers.execute(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(patience, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                    refuseIfStill(task, start);
                } catch (TimeoutException e) {
                    refuseIfStill(task, start);
                }
            }
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits no more for one of the threads if none of them has got on for that long. */
    private void refuseIfStill(FutureTask<?> task, long start) {
        long now = System.nanoTime();
        if (Math.min(now - start, now - movedAt) >= patience && callers.remove(task)) {
            throw new StoreUnreachable(
                    "all "
                            + MOST
                            + " calls that virtual threads may make of the server at a time stand"
                            + " still; see what keeps them waiting there; nothing was stored");
        }
    }

    private static RuntimeException thrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return (RuntimeException) cause;
    }

    /** Waits until a thread has ended; an interrupt ends nothing, and is not lost. */
    public static void awaitEnd(Thread thread) {
        Ends.await(List.of(thread));
    }

    /** Makes what was asked for; what comes later meets a store that is closed. */
    @Override
    public void close() {
        callers.shutdown();
    }
}
