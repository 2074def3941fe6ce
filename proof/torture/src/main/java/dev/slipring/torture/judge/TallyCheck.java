// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/**
 * What a stage counts is what its workers saw: as much at least, and no more than the claims and
 * words explain of which no journal tells the end. A server that forgets may forget counts.
 */
final class TallyCheck {

    private final History history;
    private final String stage;
    private final long died;
    private final Finding finding;

    /**
     * The check of a stage.
     *
     * @param died how many messages surely died of their leases
     */
    TallyCheck(History history, String stage, long died, Finding finding) {
        this.history = history;
        this.stage = stage;
        this.died = died;
        this.finding = finding;
    }

    void check() {
        Tally tally = history.tallies.get(stage);
        if (tally == null || history.mayForget()) {
            return;
        }
        long again = 0;
        long failed = 0;
        long perhaps = 0;
        for (Hand hand : history.of(stage)) {
            for (Run run : hand.runs) {
                again += run.attempt() > 1 ? run.count() : 0;
                perhaps += run.attempt() == Course.TRIES ? run.count() : 0;
            }
            for (Word word : hand.words) {
                if (word.kind.startsWith("fail")) {
                    failed += word.outcome == Word.Outcome.OK ? 1 : 0;
                    perhaps += word.outcome == Word.Outcome.UNKNOWN ? 1 : 0;
                }
            }
        }
        long blind = history.blind(stage);
        holds("redelivered", tally.redelivered(), again, again + blind);
        holds("failed", tally.failed(), failed + died, failed + perhaps + blind);
    }

    private void holds(String what, long said, long least, long most) {
        if (said < least || said > most) {
            String words = "stage '" + stage + "' counted " + said + " " + what;
            String seen = ", its workers saw " + least + " to " + most;
            finding.tell(3, words + seen, history.begin(), history.begin());
        }
    }
}
