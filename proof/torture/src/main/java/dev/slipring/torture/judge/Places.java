// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.List;

/** Where each message stands: every message has one place, and every place one message. */
final class Places {

    private final History history;
    private final Finding finding;
    private final Columns positions = new Columns();
    private final Columns lanes = new Columns();
    private final Columns producers = new Columns();
    private final Columns numbers = new Columns();
    private long messages;

    Places(History history, Finding finding) {
        this.history = history;
        this.finding = finding;
    }

    void read() {
        for (List<Hand> hands : history.hands.values()) {
            for (Hand hand : hands) {
                hand.runs.forEach(run -> add(hand, run));
            }
        }
    }

    private void add(Hand hand, Run run) {
        for (int i = 0; i < run.count(); i++) {
            long position = run.position() + i;
            int number = run.number() + i;
            long known = position(run.producer(), number);
            int holder = producers.of(hand.lane).get(position);
            if (known < 0 && holder < 0) {
                messages++;
                positions.of(run.producer()).set(number, Math.toIntExact(position));
                lanes.of(run.producer()).set(number, hand.lane);
                producers.of(hand.lane).set(position, run.producer());
                numbers.of(hand.lane).set(position, number);
            } else if (known != position || lane(run.producer(), number) != hand.lane) {
                finding.tell(
                        1,
                        "message "
                                + run.producer()
                                + "/"
                                + number
                                + " stands at "
                                + hand.lane
                                + "-"
                                + position
                                + (known < 0
                                        ? ", where there was another"
                                        : " and at " + lane(run.producer(), number) + "-" + known),
                        hand.stage,
                        hand.lane,
                        position);
            }
        }
    }

    /** The position of a producer's message; -1 if no worker ever saw it. */
    long position(int producer, int number) {
        return positions.of(producer).get(number);
    }

    int lane(int producer, int number) {
        return lanes.of(producer).get(number);
    }

    /** The producer of the message at a position; -1 if no worker saw one there. */
    int producer(int lane, long position) {
        return producers.of(lane).get(position);
    }

    int number(int lane, long position) {
        return numbers.of(lane).get(position);
    }

    /** The columns of producers, by lane. */
    Columns held() {
        return producers;
    }

    long messages() {
        return messages;
    }
}
