// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.StoreUnreachable;
import dev.slipring.threads.Unbroken;
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
 * Calls of a server that an interrupt of the calling thread does not disturb; if the interrupt came
 * before the call, a pool would refuse the connection. Thread-safe.
 *
 * <p>When a virtual thread is interrupted while it uses a socket, Java closes the socket, even if
 * the thread does the work of others. So virtual threads do not call the server themselves. Threads
 * made here do it for them, at most {@value #MOST} at a time, as each call takes a connection. A
 * virtual thread that finds none of them free waits as long as some of their calls finish.
 */
public final class Uninterrupted implements AutoCloseable {

    /** How many calls of virtual threads are made at a time. */
    public static final int MOST = 16;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ThreadPoolExecutor callers;
    private final long patience;

    /** When the last call of a virtual thread ended. */
    private volatile long movedAt = System.nanoTime();

    /** For the calls of one store. */
    public Uninterrupted() {
        this(PATIENCE_NANOS);
    }

    /**
     * For the calls of one store; a call that waits for its turn is refused once none of the others
     * has ended for so long.
     */
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
     * Makes a call, and returns its result. The call does not see an interrupt that came before it,
     * nor on a virtual thread one that comes meanwhile. The interrupt is not lost: the thread is
     * interrupted again when the call is over.
     *
     * @throws StoreUnreachable if this is a virtual thread, and no call of such threads ends; then
     *     this call was not made
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
        return Unbroken.get(() -> await(task, start));
    }

    private <T> T await(FutureTask<T> task, long start) throws InterruptedException {
        while (true) {
            refuseIfStill(task, start);
            try {
                return task.get(patience, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // That long it has waited in vain: the look above may end it.
            } catch (ExecutionException e) {
                throw thrown(e.getCause());
            }
        }
    }

    /** Gives up if none of the threads has finished a call for that long. */
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
        Unbroken.join(List.of(thread));
    }

    /**
     * Lets the calls that were asked for finish. Later ones are made by their own threads, and find
     * the store closed.
     */
    @Override
    public void close() {
        callers.shutdown();
    }
}
