// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.torture.Scale;
import dev.slipring.torture.arena.Arena;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A producer that pushes numbered messages in all possible ways, one call after the other. */
final class Producing {

    private final Ring ring;
    private final Scale scale;
    private final Arena arena;
    private final JournalFile journal;
    private final int producer;
    private final Random random;
    private final Pace pace;
    private int next;

    Producing(
            Ring ring,
            Scale scale,
            Arena arena,
            JournalFile journal,
            int producer,
            long seed,
            Pace pace) {
        this.ring = ring;
        this.scale = scale;
        this.arena = arena;
        this.journal = journal;
        this.producer = producer;
        this.random = new Random(seed);
        this.pace = pace;
    }

    void until(Orders orders) throws InterruptedException, SQLException {
        while (!orders.stopped()) {
            int dice = random.nextInt(10);
            if (dice < scale.ones()) {
                tell("one", messages(1), () -> ring.push(last()));
            } else if (dice < scale.ones() + (8 - scale.ones()) * 5 / 6) {
                List<Message> all = messages(Sizes.any(random, scale.together()));
                tell("all", all, () -> ring.pushAll(all));
            } else if (dice < 9) {
                async(messages(scale.async()));
            } else {
                joined(messages(1 + random.nextInt(scale.joined())));
            }
            Thread.sleep(random.nextInt(12));
            pace.await(next, orders);
        }
    }

    private Message last() {
        return message(next - 1);
    }

    private Message message(int number) {
        return new Body(producer, number).message();
    }

    private List<Message> messages(int count) {
        List<Message> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            messages.add(message(next + i));
        }
        next += count;
        return messages;
    }

    private void tried(String how, List<Message> messages) {
        int count = messages.size();
        journal.write("push", producer, next - count, count, how);
    }

    private void tell(String how, List<Message> messages, Runnable push) {
        tried(how, messages);
        journal.write("pushed", producer, outcome(push));
    }

    private static String outcome(Runnable push) {
        try {
            push.run();
            return "ok";
        } catch (SlipringException e) {
            return outcome(e);
        } catch (CompletionException e) {
            if (e.getCause() instanceof SlipringException known) {
                return outcome(known);
            }
            throw e;
        }
    }

    private static String outcome(SlipringException e) {
        boolean unknown = e instanceof OutcomeUnknown;
        return unknown ? "unknown" : e instanceof RingFull ? "full" : "refused";
    }

    /** Pushes one by one, without waiting in between; each push has an outcome of its own. */
    private void async(List<Message> messages) {
        tried("async", messages);
        List<CompletableFuture<Void>> all =
                messages.stream().map(m -> ring.pushAsync(m).toCompletableFuture()).toList();
        List<String> outcomes = all.stream().map(push -> outcome(push::join)).toList();
        boolean same = outcomes.stream().distinct().count() == 1;
        journal.write("pushed", producer, same ? outcomes.get(0) : String.join(" ", outcomes));
    }

    private void joined(List<Message> messages) throws SQLException, InterruptedException {
        boolean commit = random.nextInt(3) > 0;
        tried("joined", messages);
        String outcome = "refused";
        try (Connection transaction = arena.connect(true)) {
            ring.join(transaction).push(messages.toArray(Message[]::new));
            Thread.sleep(random.nextInt(20));
            outcome = commit ? "unknown" : "rolledback";
            if (commit) {
                transaction.commit();
                outcome = "ok";
            } else {
                transaction.rollback();
            }
        } catch (SQLException | SlipringException e) {
            journal.trouble(e);
            outcome = e instanceof RingFull ? "full" : outcome;
        }
        journal.write("pushed", producer, outcome);
    }
}
