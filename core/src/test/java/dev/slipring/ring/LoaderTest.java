// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An application that is taken out of a server whose threads live on, and loaded anew. */
@Timeout(30)
class LoaderTest {

    /** What such a thread does for the application: it waits for a message in vain. */
    public static final class InVain implements Runnable {

        @Override
        public void run() {
            SPSequence producer = new SPSequence(8);
            Sequence consumer = new SCSequence();
            producer.then(consumer).then(producer);
            consumer.waiting(Waiting.PARK);
            try {
                consumer.waitForNext(1, TimeUnit.MILLISECONDS.toNanos(20));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aThreadThatHasWaitedDoesNotKeepTheClasses() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Reference<ClassLoader> gone = waitIn(pool);
            while (gone.get() != null) {
                System.gc();
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Reference<ClassLoader> waitIn(ExecutorService pool) throws Exception {
        URL[] classes = {place(Waiter.class), place(LoaderTest.class)};
        try (URLClassLoader loader =
                new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Class<?> inVain = loader.loadClass(InVain.class.getName());
            pool.submit((Runnable) inVain.getConstructor().newInstance()).get();
            return new WeakReference<>(loader);
        }
    }

    private static URL place(Class<?> of) {
        return of.getProtectionDomain().getCodeSource().getLocation();
    }
}
