// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.ArrayList;
import java.util.List;

/** A push, as its producer saw it. */
final class Push {

    final int producer;
    final int number;
    final int count;
    final String how;
    final long begin;
    long end = Long.MAX_VALUE;
    String outcome = "unknown";

    Push(int producer, int number, int count, String how, long begin) {
        this.producer = producer;
        this.number = number;
        this.count = count;
        this.how = how;
        this.begin = begin;
    }

    /**
     * Notes how the push ended.
     *
     * @param outcomes one for the whole push, or one for each message
     * @return the push, or those of the single messages
     */
    List<Push> ended(long time, List<String> outcomes) {
        end = time;
        outcome = outcomes.get(0);
        if (outcomes.size() == 1) {
            return List.of(this);
        }
        List<Push> single = new ArrayList<>();
        for (String each : outcomes) {
            Push push = new Push(producer, number + single.size(), 1, how, begin);
            push.end = time;
            push.outcome = each;
            single.add(push);
        }
        return single;
    }

    boolean isOk() {
        return outcome.equals("ok");
    }

    /** Whether its producer was told that none of it is stored. */
    boolean isNot() {
        return isFull() || outcome.equals("refused") || outcome.equals("rolledback");
    }

    /** Whether its producer was told that there is no room for it. */
    boolean isFull() {
        return outcome.equals("full");
    }

    boolean isWhole() {
        return !how.equals("async");
    }
}
