// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Delivery;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What handlers did with the messages of the claims that their process has in hand, to compare it
 * with the words about them. Thread-safe.
 */
final class Handled {

    /** How a handler ended. */
    enum End {
        /** It returned. */
        DONE,
        /** It threw something. */
        FAILED
    }

    private static final class Piece {
        final Hand hand;
        final int index;
        End end;

        Piece(Hand hand, int index) {
            this.hand = hand;
            this.index = index;
        }
    }

    private static final class Hand {
        final Map<Long, Delivery> left = new TreeMap<>();
        int begun;
        final Set<Settlement> unsure = new HashSet<>();
    }

    private final Map<Ticket, Hand> hands = new HashMap<>();
    private final Map<Delivery, Piece> pieces = new IdentityHashMap<>();

    /** Notes a new claim. */
    synchronized void came(Claimed claimed) {
        Hand hand = new Hand();
        for (Delivery delivery : claimed.deliveries()) {
            pieces.put(delivery, new Piece(hand, hand.left.size()));
            hand.left.put(delivery.position(), delivery);
        }
        hands.put(claimed.ticket(), hand);
    }

    /** Notes that a handler is called; returns whether it is this message's turn. */
    synchronized boolean begins(String stage, Delivery delivery) {
        Piece piece = pieces.get(delivery);
        return piece == null
                || piece.end == null
                        && (piece.index == piece.hand.begun++ || !Course.ORDERED.contains(stage));
    }

    /** Notes that a handler has ended. */
    synchronized void ended(Delivery delivery, End end) {
        Piece piece = pieces.get(delivery);
        if (piece != null) {
            piece.end = end;
        }
    }

    /** Compares a word with what handlers did; returns what is wrong in it, as text. */
    synchronized List<String> wrong(Settlement word) {
        Hand hand = hands.get(word.ticket());
        List<String> wrong = new ArrayList<>();
        if (hand == null) {
            return wrong;
        }
        Map<Long, Delivery> rest = new TreeMap<>(hand.left);
        for (long position : word.done()) {
            hold(wrong, rest.remove(position), End.DONE);
        }
        for (Failed failed : word.failed()) {
            hold(wrong, rest.remove(failed.position()), End.FAILED);
        }
        for (Delivery delivery : rest.values()) {
            if (word.rest() == Rest.DONE) {
                hold(wrong, delivery, End.DONE);
            } else if (word.rest() == Rest.GIVE_BACK) {
                hold(wrong, delivery, null);
            }
        }
        return wrong;
    }

    private void hold(List<String> wrong, Delivery delivery, End said) {
        End end = delivery == null ? null : pieces.get(delivery).end;
        if (delivery == null || end != said) {
            String which = delivery == null ? "a message that is not in hand" : delivery.id();
            wrong.add(which + " was said to be " + said + ", its handler made " + end + " of it");
        }
    }

    /** Notes that a word was taken: its messages are no longer in hand. */
    synchronized void taken(Settlement word) {
        Hand hand = hands.get(word.ticket());
        if (hand == null) {
            return;
        }
        word.done().forEach(position -> forget(hand, position));
        word.failed().forEach(failed -> forget(hand, failed.position()));
        if (word.rest() == Rest.DONE || word.rest() == Rest.GIVE_BACK) {
            lost(word.ticket());
        }
    }

    private void forget(Hand hand, long position) {
        pieces.remove(hand.left.remove(position));
    }

    /** Notes that the store failed and may have taken a word. */
    synchronized void mayBeTaken(Settlement word) {
        Hand hand = hands.get(word.ticket());
        if (hand != null && word.rest() != Rest.EXTEND) {
            hand.unsure.add(word);
        }
    }

    /** Whether a word was refused because the store had taken it when it was said before. */
    synchronized boolean wasTaken(Settlement word) {
        Hand hand = hands.get(word.ticket());
        boolean taken = hand != null && hand.unsure.remove(word);
        if (taken) {
            taken(word);
        }
        return taken;
    }

    /** Notes that a claim is over. */
    synchronized void lost(Ticket ticket) {
        Hand hand = hands.remove(ticket);
        if (hand != null) {
            hand.left.values().forEach(pieces::remove);
        }
    }
}
