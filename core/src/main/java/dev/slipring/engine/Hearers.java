// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Those who want to hear that a ring may have changed. Safe for use by several threads. */
public final class Hearers {

    private final List<Hearer> all = new CopyOnWriteArrayList<>();

    /** Nobody yet. */
    public Hearers() {}

    /** Not the runnable itself, which may come twice. */
    private static final class Hearer {

        private final Runnable changed;

        Hearer(Runnable changed) {
            this.changed = changed;
        }

        void hear() {
            try {
                changed.run();
            } catch (RuntimeException | Error e) {
                Log.write(Level.WARNING, "who was told of a change failed", e);
            }
        }
    }

    /** Takes one in, until the result is closed. */
    public AutoCloseable add(Runnable changed) {
        Hearer hearer = new Hearer(changed);
        all.add(hearer);
        return () -> all.remove(hearer);
    }

    /** Tells all of them, one after the other; what one throws is logged. */
    public void tell() {
        all.forEach(Hearer::hear);
    }

    /** Whether there is nobody. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Forgets all of them. */
    public void clear() {
        all.clear();
    }
}
