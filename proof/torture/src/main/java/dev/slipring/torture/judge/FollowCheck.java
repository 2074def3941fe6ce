// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.List;

/** Promise 5: a stage gets a message only after all stages that it follows are done with it. */
final class FollowCheck {

    private final History history;
    private final List<Dones> dones;
    private final Finding finding;

    FollowCheck(History history, List<Dones> dones, Finding finding) {
        this.history = history;
        this.dones = dones;
        this.finding = finding;
    }

    void check() {
        history.hands.forEach(
                (stage, hands) -> {
                    List<Dones> above =
                            dones.stream()
                                    .filter(d -> Course.ANCESTORS.get(stage).contains(d.stage()))
                                    .toList();
                    hands.forEach(hand -> above.forEach(ancestor -> check(hand, ancestor)));
                });
    }

    private void check(Hand hand, Dones ancestor) {
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                if (ancestor.isNotYet(hand.lane, at, hand.end)) {
                    finding.tell(
                            5,
                            "stage '"
                                    + hand.stage
                                    + "' got message "
                                    + hand.lane
                                    + "-"
                                    + at
                                    + ", and '"
                                    + ancestor.stage()
                                    + "' was not done with it",
                            hand.stage,
                            hand.lane,
                            at);
                }
            }
        }
    }
}
