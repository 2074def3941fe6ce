// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Fenced;
import dev.slipring.NotInHand;
import dev.slipring.SlipringException;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.torture.Course;
import dev.slipring.torture.Ticks;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store in front of the real one, which stays open when this is closed. It writes down what
 * workers claim and report, and where a report differs from what their handlers did. Thread-safe;
 * Slipring says one word at a time about a claim.
 */
final class Witness implements InvocationHandler {

    private final Store store;
    private final JournalFile journal;
    private final Handled handled;

    private Witness(Store store, JournalFile journal, Handled handled) {
        this.store = store;
        this.journal = journal;
        this.handled = handled;
    }

    static Store of(Store store, JournalFile journal, Handled handled) {
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        new Witness(store, journal, handled));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "claim" -> claim((String) arguments[0], (ClaimRequest) arguments[1]);
            case "settle" -> {
                Settlement word = (Settlement) arguments[1];
                yield said(word, () -> store.settle((String) arguments[0], word));
            }
            case "trySettle" -> {
                Settlement word = (Settlement) arguments[1];
                yield said(word, () -> store.trySettle((String) arguments[0], word));
            }
            case "close" -> null;
            default -> {
                try {
                    yield method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        };
    }

    private Claimed claim(String ring, ClaimRequest request) {
        Asking asking = new Asking(journal, request.stage(), request.max());
        Supplier<Claimed> call = () -> store.claim(ring, request).read();
        Claimed claimed = request.before() == null ? call.get() : said(request.before(), call);
        long end = Ticks.now();
        if (claimed.isEmpty()) {
            asking.nothing(end);
        } else {
            Ticket ticket = claimed.ticket();
            asking.got(end, ticket.lane(), runs(claimed), name(ticket));
            handled.came(claimed);
        }
        return claimed;
    }

    private String runs(Claimed claimed) {
        try {
            return Runs.of(claimed.deliveries());
        } catch (IllegalStateException e) {
            journal.write("odd", claimed.ticket().stage(), e.getMessage());
            throw e;
        }
    }

    /** A name for a claim that no other claim of this process has. */
    private static String name(Ticket ticket) {
        return ticket.stage()
                + "/"
                + ticket.lane()
                + "/"
                + ticket.epoch()
                + (ticket.retry() ? "/retry" : "");
    }

    private <T> T said(Settlement word, Supplier<T> call) {
        String claim = name(word.ticket());
        handled.wrong(word).forEach(wrong -> journal.write("odd", claim, wrong));
        write(claim, word);
        String outcome = "unknown";
        try {
            T answer = call.get();
            if (answer.equals(Optional.empty())) {
                outcome = "rolledback";
            } else {
                outcome = "ok";
                handled.taken(word);
            }
            return answer;
        } catch (Fenced e) {
            outcome = "fenced";
            handled.lost(word.ticket());
            throw e;
        } catch (IllegalArgumentException e) {
            if (!(e instanceof NotInHand) || !handled.wasTaken(word)) {
                journal.write("odd", claim, e.getMessage());
            }
            throw e;
        } catch (SlipringException e) {
            handled.mayBeTaken(word);
            throw e;
        } finally {
            journal.write("said", claim, outcome);
        }
    }

    /** Writes down each part of a word. */
    private void write(String claim, Settlement word) {
        Runs.stretches(word.done())
                .forEach(some -> journal.write("word", claim, some, "done"));
        for (Failed failed : word.failed()) {
            journal.write("word", claim, failed.position(), "fail", Course.LONGEST_BACKOFF);
        }
        String rest =
                switch (word.rest()) {
                    case DONE, EXTEND -> word.rest().name().toLowerCase(Locale.ROOT);
                    case GIVE_BACK -> "back";
                    case KEEP -> null;
                };
        if (rest != null) {
            journal.write("word", claim, -1, rest);
        }
    }
}
