// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.lang.System.Logger.Level;

/**
 * The log of the application, by the {@link System.Logger} named {@code dev.slipring}. A logger is
 * code of others, which may fail where files, threads or memory have run out; nothing that was to
 * go on behind a line of the log is to end by that. Thread-safe.
 */
public final class Log {

    /** Kept, as the application may have set a level that would be forgotten with it. */
    private static volatile System.Logger logger;

    private Log() {}

    /**
     * Writes a line, if it can be written.
     *
     * @param why what is behind it; may be null
     */
    public static void write(Level level, String words, Throwable why) {
        try {
            System.Logger to = logger;
            if (to == null) {
                to = System.getLogger("dev.slipring");
                logger = to;
            }
            to.log(level, words, why);
        } catch (RuntimeException | Error mute) {
            // There is nobody left to tell.
        }
    }
}
