// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The kinds of threads that push. */
public enum ThreadKind {

    /** A thread of the operating system: waking it takes a system call and a switch of threads. */
    PLATFORM(""),

    /** A virtual thread: Java 21 and newer run many of them on a few threads of the system. */
    VIRTUAL("virtual threads");

    /** Looked up by name, as this is compiled for Java 17, which has no virtual threads. */
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

    /** What a row says about the kind; empty for the usual one. */
    public String words() {
        return words;
    }

    /** Whether the Java that runs this has such threads. */
    public boolean isThere() {
        return this == PLATFORM || START_VIRTUAL != null;
    }

    /** Starts a thread that does not keep the program from ending. */
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
