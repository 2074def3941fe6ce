// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.RingFull;
import dev.slipring.bench.subject.ForwardingSubject;
import dev.slipring.bench.subject.Subject;

import java.util.List;

/** A queue that repeats a push until there is room, and remembers the first refusal. */
final class Refused extends ForwardingSubject {

    private volatile String reason;
    private volatile long since;

    Refused(Subject subject) {
        super(subject);
    }

    /** What the first refusal said; null if there was none. */
    String reason() {
        return reason;
    }

    /** When the push that was refused first began; now if none was. */
    long since() {
        return reason == null ? System.nanoTime() : since;
    }

    @Override
    public void push(List<byte[]> bodies) throws Exception {
        for (boolean pushed = false; !pushed; ) {
            long start = System.nanoTime();
            try {
                super.push(bodies);
                pushed = true;
            } catch (RingFull e) {
                if (reason == null) {
                    since = start;
                    reason = e.getMessage();
                }
            }
        }
    }
}
