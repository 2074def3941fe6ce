// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Workers that run until closed: each claims, has its handler called, and settles, again and again.
 * They outlive failures of the store: they try again, ever more slowly, until it is back.
 */
public final class Workers implements AutoCloseable {

    private final Stage stage;
    private final ClaimHandler handler;
    private final Watcher watcher;
    private final LeaseKeeper keeper;
    private final CountDownLatch running;

    /** For each worker whether it has begun, or will not. */
    private final List<AtomicBoolean> tasks = new ArrayList<>();

    private final ThreadLocal<Workers> mine = new ThreadLocal<>();
    private volatile boolean stopping;

    Workers(Stage stage, WorkOptions how, ClaimHandler handler, String ring, Watcher watcher) {
        this.stage = stage;
        this.handler = handler;
        this.watcher = watcher;
        this.running = new CountDownLatch(how.threads());
        String name = "slipring-" + ring + "-" + stage.name();
        this.keeper = new LeaseKeeper(name + "-leases", stage.spec().lease().toMillis(), watcher);
        Executor executor =
                how.executor() != null
                        ? how.executor()
                        : task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            thread.start();
                        };
        for (int i = 0; i < how.threads(); i++) {
            tasks.add(new AtomicBoolean());
        }
        boolean accepted = false;
        try {
            tasks.forEach(begun -> executor.execute(() -> run(begun, how.batch())));
            accepted = true;
        } finally {
            if (!accepted) {
                // The executor refused: those that were taken end, and its error goes to the
                // caller.
                stop();
            }
        }
    }

    private void run(AtomicBoolean begun, int batch) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        mine.set(this);
        try {
            new WorkLoop(stage, handler, watcher, keeper, batch, this).run();
        } finally {
            mine.remove();
            ended();
        }
    }

    private void ended() {
        running.countDown();
        if (running.getCount() == 0) {
            keeper.close();
        }
    }

    boolean isStopping() {
        return stopping;
    }

    /** One of the threads was interrupted, which ends all of them. */
    void stopping() {
        stopping = true;
    }

    /** Begins to stop: handlers finish the message in hand, the rest goes back. */
    public void stop() {
        stopping = true;
        // An executor may never come to a task that still waits there.
        tasks.stream().filter(begun -> begun.compareAndSet(false, true)).forEach(task -> ended());
        stage.wakeAll();
    }

    /** Stops and waits until every handler has finished. */
    @Override
    public void close() {
        stop();
        if (mine.get() == this) {
            // A handler closes its own workers: they end when it returns, it cannot wait for that.
            return;
        }
        boolean interrupted = false;
        while (running.getCount() > 0) {
            try {
                running.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
