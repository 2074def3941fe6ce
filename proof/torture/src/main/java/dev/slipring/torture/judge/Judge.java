// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.List;

/** Holds a history against the promises. */
public final class Judge {

    private static final int MOST = 1_000;

    private final History history;
    private final List<Effect> effects;
    private final List<Violation> violations = new ArrayList<>();
    private final Places places;
    private final Retelling retelling;
    private long redeliveries;
    private long longestWait;
    private String longestWaitOf = "";

    /** A judge over a history and what the workers wrote beside their dones. */
    public Judge(History history, List<Effect> effects) {
        this.history = history;
        this.effects = effects;
        this.retelling = new Retelling(history);
        this.places = new Places(history, this::tell);
    }

    /** Judges; returns how it ended. */
    public Verdict judge() {
        history.odd.forEach(words -> tell(2, words, null, 0, -1));
        places.read();
        PushCheck pushes = new PushCheck(history, places, this::tell);
        pushes.check();
        List<Dones> dones = new ArrayList<>();
        List<String> stages = new ArrayList<>(Course.STAGES);
        stages.add(Course.VISITOR);
        for (String stage : stages) {
            StageCheck check = new StageCheck(history, stage, this::tell);
            check.check();
            redeliveries += check.redeliveries();
            if (check.longestWait() > longestWait) {
                longestWait = check.longestWait();
                longestWaitOf = check.longestWaitOf();
            }
            if (Course.ORDERED.contains(stage)) {
                new OrderCheck(history, stage, this::tell).check();
            }
            dones.add(new Dones(history, stage));
        }
        new FollowCheck(history, dones, this::tell).check();
        long lost = pushes.lost() + new EndCheck(history, places, dones, this::tell).check();
        new EffectCheck(places, effects, this::tell).check();
        long recovery = new RecoveryCheck(history, this::tell).check();
        return new Verdict(
                places.messages(),
                redeliveries,
                lost,
                longestStall(),
                longestWait,
                longestWaitOf,
                recovery,
                violations);
    }

    private void tell(int promise, String words, String stage, int lane, long position) {
        if (violations.size() < MOST) {
            List<String> story =
                    position < 0 ? List.of() : retelling.of(stage, lane, position, places);
            violations.add(new Violation(promise, words, story));
        }
    }

    /** The longest time in which nothing became done in any stage, in milliseconds. */
    private long longestStall() {
        long longest = 0;
        for (int i = 1; i < history.doneTimes.size(); i++) {
            longest = Math.max(longest, history.doneTimes.get(i) - history.doneTimes.get(i - 1));
        }
        return longest / 1_000;
    }
}
