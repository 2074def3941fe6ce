// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.lang.System.Logger.Level;

/**
 * The log of the application, by {@link System.Logger}s. A logger is code of others, which may fail
 * where files, threads or memory have run out; nothing that was to go on behind a line of the log
 * is to end by that. Thread-safe.
 */
public enum Log {
    /** Of the store: the logger {@code dev.slipring}. */
    STORE("dev.slipring"),

    /** Of what handlers throw: the logger {@code dev.slipring.handlers}. */
    HANDLERS("dev.slipring.handlers");

    private final String name;

    /** Kept, as the application may have set a level that would be forgotten with it. */
    private volatile System.Logger logger;

    Log(String name) {
        this.name = name;
    }

    /**
     * Writes a line about the store, if it can be written.
     *
     * @param why what is behind it; may be null
     */
    public static void write(Level level, String words, Throwable why) {
        STORE.line(level, words, why);
    }

    /**
     * Writes a line, if it can be written.
     *
     * @param why what is behind it; may be null
     */
    public void line(Level level, String words, Throwable why) {
        try {
            System.Logger to = logger;
            if (to == null) {
                to = System.getLogger(name);
                logger = to;
            }
            to.log(level, words, why);
        } catch (RuntimeException | Error mute) {
            // There is nobody left to tell.
        }
    }
}
