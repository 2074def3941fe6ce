// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The greatest number under which each producer tried to push here, so that the database is asked
 * only about a number that may have come to it before. Any thread.
 */
final class Numbers {

    private static final int MOST = 10_000;

    private final Map<Long, Long> tried =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
                    return size() > MOST;
                }
            };

    /**
     * Whether a push under that number was certainly not tried before; it is tried now. A producer
     * that is not known here may have pushed through another process.
     */
    synchronized boolean isFresh(long producer, long number) {
        if (producer == 0) {
            return true;
        }
        Long last = tried.get(producer);
        if (last != null && last >= number) {
            return false;
        }
        tried.put(producer, number);
        return last != null;
    }
}
