// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells callers who do not wait what became of their pushes, in order, on a thread that does
 * nothing else: what they do then may take long, push again, or wait for room. Thread-safe.
 */
final class Teller {

    private final ThreadPoolExecutor thread;

    /** One for the ring with that name. Its thread begins with the first push that is told. */
    Teller(String ring) {
        thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread own = new Thread(task, "slipring-told-" + ring);
                            own.setDaemon(true);
                            return own;
                        },
                        (task, closed) -> task.run());
    }

    /** An entry is over: its caller is told, soon. */
    void add(Entry entry) {
        try {
            thread.execute(entry::tell);
        } catch (OutOfMemoryError noThread) {
            // The system has no thread to give: better told by the writer than never.
            entry.tell();
        }
    }

    /** Tells the rest here, but for what is being told at this moment, and ends. */
    void close() {
        for (Runnable next = thread.getQueue().poll();
                next != null;
                next = thread.getQueue().poll()) {
            next.run();
        }
        thread.shutdown();
    }
}
