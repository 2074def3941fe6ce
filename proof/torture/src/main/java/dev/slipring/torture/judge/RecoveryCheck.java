// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** After a server is back, messages flow again within five seconds. */
final class RecoveryCheck {

    private static final long MOST = TimeUnit.SECONDS.toMicros(5);

    private final TreeSet<Long> spoken;
    private final List<Long> ups;
    private final TreeSet<Long> downs;
    private final History history;
    private final Finding finding;

    RecoveryCheck(History history, Finding finding) {
        this.spoken = new TreeSet<>(history.spokenTimes);
        this.ups = history.ups;
        this.downs = new TreeSet<>(history.downs);
        this.history = history;
        this.finding = finding;
    }

    /** Returns the longest time that this took, in milliseconds. */
    long check() {
        long longest = 0;
        for (long up : ups) {
            Long flows = spoken.higher(up);
            Long down = downs.higher(up);
            long until = flows == null ? up + 2 * MOST : flows;
            boolean downAgain = down != null && down < until;
            // It counts only if a process with workers was there, and no stage was paused.
            long since = Math.min(until, up + MOST);
            boolean works =
                    history.lives.stream().anyMatch(l -> l.begin() <= up && l.end() >= since)
                            && !history.isPaused(up, since);
            if (works && !downAgain) {
                longest = Math.max(longest, until - up);
                judge(up, until);
            }
        }
        return longest / 1_000;
    }

    private void judge(long up, long flows) {
        if (flows - up > MOST) {
            String words = "no message was done in the five seconds after the server was back";
            finding.tell(3, words, up, flows);
        }
    }
}
