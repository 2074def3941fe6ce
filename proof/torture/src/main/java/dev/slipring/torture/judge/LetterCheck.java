// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/**
 * Dead letters, one by one: each is the message that stands there, had all its attempts, was not
 * done, and ended as its last worker saw it. What is dropped does not come again.
 */
final class LetterCheck {

    private final History history;
    private final Places places;
    private final Finding finding;

    LetterCheck(History history, Places places, Finding finding) {
        this.history = history;
        this.places = places;
        this.finding = finding;
    }

    void check() {
        history.letters.forEach(this::check);
        for (Order order : history.orders) {
            if (order.kind.equals("drop") && order.ok) {
                order.ids.forEach(id -> dropped(order, id));
            }
            boolean some = order.ok && order.count >= 0 && !history.mayForget();
            if (some && order.count != order.ids.size()) {
                String words = order.ids.size() + " dead letters of stage '" + order.stage;
                String what = words + "' were to " + order.kind + ", and " + order.count + " did";
                finding.tell(3, what, order.begin, order.end);
            }
        }
    }

    private void check(Letter letter) {
        Run run = letter.run();
        long at = run.position();
        boolean same =
                places.producer(letter.lane(), at) == run.producer()
                        && places.number(letter.lane(), at) == run.number();
        tell(same, "is not the message that stands there", letter);
        tell(run.attempt() == Course.TRIES, "had " + run.attempt() + " attempts", letter);
        Hand last = null;
        for (Hand hand : history.of(letter.stage())) {
            if (hand.holds(letter.lane(), at) && hand.begin < letter.end()) {
                boolean lasts = hand.run(at).attempt() == Course.TRIES;
                last = lasts ? hand : last;
                notDone(letter, hand, at);
            }
        }
        long since = last == null ? history.begin() : last.begin;
        boolean reset = history.isReset(letter.stage(), since, letter.end());
        boolean hidden = history.hidden(letter.stage(), since, letter.end()) > 0;
        if (last != null && !hidden && !reset && !last.forgettable) {
            cause(letter, last.fate(at));
        }
        tell(last != null || hidden || reset, "was in no hand for the last time", letter);
    }

    private void notDone(Letter letter, Hand hand, long at) {
        Word word = hand.decisive(at);
        boolean done = hand.fate(at) == Hand.Fate.DONE && word.end < letter.begin();
        boolean reset = done && history.isReset(letter.stage(), hand.begin, letter.end());
        tell(!done || reset, "was done before", letter);
    }

    private void cause(Letter letter, Hand.Fate fate) {
        boolean wrong =
                fate == Hand.Fate.FAILED && letter.cause() != Cause.FAILURE
                        || fate == Hand.Fate.NONE && letter.cause() != Cause.LEASE;
        tell(!wrong, "ended as " + fate + ", and says " + letter.cause(), letter);
    }

    private void dropped(Order order, String id) {
        int dash = id.indexOf('-');
        int lane = Integer.parseInt(id.substring(0, dash));
        long at = Long.parseLong(id.substring(dash + 1));
        for (Hand hand : history.of(order.stage)) {
            boolean later = hand.begin > order.end && hand.holds(lane, at);
            if (later && !history.isReset(order.stage, order.begin, hand.end)) {
                String words = "stage '" + order.stage + "', message " + id;
                finding.tell(3, words + " was dropped, and came again", order.stage, lane, at);
                return;
            }
        }
    }

    private void tell(boolean holds, String words, Letter letter) {
        if (!holds) {
            String what = "stage '" + letter.stage() + "', the dead letter " + letter.id() + " ";
            finding.tell(
                    3, what + words, letter.stage(), letter.lane(), letter.run().position());
        }
    }
}
