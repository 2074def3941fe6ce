// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** What carries a thread that pushes. */
public enum ThreadKind {

    /**
     * A thread of the operating system: to wake it takes a system call, and a change of threads.
     */
    PLATFORM(""),

    /** A thread that Java itself, 21 or newer, lets run on a few of the system's. */
    VIRTUAL("virtual threads");

    /** Java 17 has none, and this is compiled for it. */
    private static final Method START_VIRTUAL = startVirtual();

    private final String words;

    ThreadKind(String words) {
        this.words = words;
    }

    private static Method startVirtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** What a row says of it; nothing where it is the usual one. */
    public String words() {
        return words;
    }

    /** Whether the Java that runs this has such threads. */
    public boolean isThere() {
        return this == PLATFORM || START_VIRTUAL != null;
    }

    /** Starts a thread that keeps no program from ending. */
    Thread start(String name, Runnable task) {
        if (this == VIRTUAL) {
            return startVirtual(name, task);
        }
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static Thread startVirtual(String name, Runnable task) {
        try {
            Thread thread = (Thread) START_VIRTUAL.invoke(null, task);
            thread.setName(name);
            return thread;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("no virtual thread can be started", e);
        }
    }
}
