// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Checks a history against the promises. */
public final class Judge {

    private static final int MOST = 1_000;

    private final History history;
    private final List<Effect> effects;
    private final List<Violation> violations = new ArrayList<>();
    private final Places places;
    private final Retelling retelling;
    private final Finding finding = new Found();
    private long redeliveries;
    private long longestWait;
    private String longestWaitOf = "";

    /** A judge of a history and of the effects that workers wrote together with their dones. */
    public Judge(History history, List<Effect> effects) {
        this.history = history;
        this.effects = effects;
        this.retelling = new Retelling(history);
        this.places = new Places(history, finding);
    }

    /** Judges; returns how it ended. */
    public Verdict judge() {
        history.odd.forEach(words -> add(2, words, List::of));
        history.unreadable.forEach(words -> add(3, words, List::of));
        places.read();
        PushCheck pushes = new PushCheck(history, places, finding);
        pushes.check();
        List<Dones> dones = new ArrayList<>();
        List<String> stages = new ArrayList<>(Course.STAGES);
        stages.add(Course.VISITOR);
        for (String stage : stages) {
            StageCheck check = new StageCheck(history, stage, finding);
            check.check();
            redeliveries += check.redeliveries();
            if (check.longestWait() > longestWait) {
                longestWait = check.longestWait();
                longestWaitOf = check.longestWaitOf();
            }
            if (Course.ORDERED.contains(stage)) {
                new OrderCheck(history, stage, finding).check();
            }
            AttemptCheck attempts = new AttemptCheck(history, places, stage, finding);
            attempts.check();
            new TallyCheck(history, stage, attempts.died(), finding).check();
            dones.add(new Dones(history, stage));
        }
        new RefusalCheck(history, finding).check();
        new RoomCheck(history, places, finding).check();
        new LetterCheck(history, places, finding).check();
        new FollowCheck(history, dones, finding).check();
        long lost = pushes.lost() + new EndCheck(history, places, dones, finding).check();
        new EffectCheck(history, places, effects, finding).check();
        long recovery = new RecoveryCheck(history, finding).check();
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

    /** Keeps what is found, with its story. */
    private final class Found implements Finding {

        @Override
        public void tell(int promise, String words, String stage, int lane, long... positions) {
            add(promise, words, () -> retelling.of(stage, lane, positions, places));
        }

        @Override
        public void tell(int promise, String words, Push push) {
            add(promise, words, () -> retelling.of(push));
        }

        @Override
        public void tell(int promise, String words, long from, long to) {
            add(promise, words, () -> retelling.of(from, to));
        }
    }

    private void add(int promise, String words, Supplier<List<String>> story) {
        if (violations.size() < MOST) {
            violations.add(new Violation(promise, words, story.get()));
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
