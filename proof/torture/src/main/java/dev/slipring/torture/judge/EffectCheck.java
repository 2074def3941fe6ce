// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.List;

/**
 * Promise 9: each message has exactly one effect, since its done and its effect share a
 * transaction.
 */
final class EffectCheck {

    private final History history;
    private final Places places;
    private final List<Effect> effects;
    private final Finding finding;
    private final Columns found = new Columns();

    EffectCheck(History history, Places places, List<Effect> effects, Finding finding) {
        this.history = history;
        this.places = places;
        this.effects = effects;
        this.finding = finding;
    }

    void check() {
        for (Effect effect : effects) {
            for (int i = 0; i < effect.count(); i++) {
                int number = effect.number() + i;
                int known = Math.max(found.of(effect.producer()).get(number), 0);
                found.of(effect.producer()).set(number, known + 1);
            }
        }
        places.held()
                .all()
                .forEach(
                        (lane, column) -> {
                            for (long at = 0; at < column.size(); at++) {
                                check(lane, at);
                            }
                        });
    }

    private void check(int lane, long at) {
        int producer = places.producer(lane, at);
        if (producer >= 0) {
            int effect = Math.max(found.of(producer).get(places.number(lane, at)), 0);
            boolean none = effect == 0 && history.isDropped(Course.JOINED, lane + "-" + at);
            if (effect != 1 && !none) {
                finding.tell(
                        9,
                        "message " + lane + "-" + at + " has " + effect + " effects",
                        Course.JOINED,
                        lane,
                        at);
            }
        }
    }
}
