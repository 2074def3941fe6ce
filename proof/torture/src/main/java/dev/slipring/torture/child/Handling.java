// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Delivery;
import dev.slipring.Handler;
import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.torture.Course;
import dev.slipring.torture.Scale;

import java.util.Random;

/**
 * Slipring's own workers on a stage, with a handler that works well, is slow, hangs or fails. The
 * workers report by themselves what became of the messages.
 */
final class Handling implements Handler, Runnable {

    private static final int MOST_THREADS = 4;

    private final Ring ring;
    private final Scale scale;
    private final String stage;
    private final JournalFile journal;
    private final Handled handled;
    private final Orders orders;
    private final Random random;
    private final Moods moods;

    /** Whether these workers are to stop and new ones to begin. */
    private volatile boolean relieved;

    Handling(Ring ring, String stage, Duty duty, Handled handled) {
        this.ring = ring;
        this.scale = duty.scale();
        this.stage = stage;
        this.journal = duty.journal();
        this.handled = handled;
        this.orders = duty.orders();
        this.random = duty.random(stage);
        this.moods = new Moods(random, scale.patience());
    }

    @Override
    public void run() {
        int most = scale.claimed();
        while (!orders.stopped()) {
            boolean calm = orders.calm();
            // A worker that claims one message at a time has an ordered lane to itself, message by
            // message.
            int batch = calm ? most : Sizes.any(random, most);
            WorkOptions how = WorkOptions.threads(1 + random.nextInt(MOST_THREADS)).batch(batch);
            relieved = false;
            try (Workers workers = ring.stage(stage).work(how, this)) {
                while (!orders.stopped() && !relieved && orders.calm() == calm) {
                    Working.pause(50);
                }
            } catch (SlipringException e) {
                journal.trouble(e);
                Working.pause(50);
            }
        }
    }

    @Override
    public void handle(Delivery delivery) {
        if (!handled.begins(stage, delivery)) {
            journal.write("odd", stage, delivery.id(), "came to its handler out of turn");
        }
        boolean poison =
                stage.equals(Course.PICKY)
                        && !orders.calm()
                        && Body.isPoison(delivery, scale.perPoison());
        Moods.Mood mood = poison ? Moods.Mood.FAIL : mood();
        switch (mood) {
            case SLOW -> Working.pause(Course.LEASE.toMillis() * 3 / 4);
            case HANG -> Working.pause(Course.LEASE.toMillis() * 7 / 4);
            case FAIL -> {
                handled.ended(delivery, Handled.End.FAILED);
                throw new IllegalStateException(Course.FAILURE);
            }
            case BACK -> relieved = true;
            case HALFWAY, WELL -> {}
        }
        handled.ended(delivery, Handled.End.DONE);
    }

    private synchronized Moods.Mood mood() {
        Moods.Mood mood = orders.calm() ? Moods.Mood.WELL : moods.next();
        if (mood != Moods.Mood.WELL) {
            journal.write("mood", stage, mood);
        }
        return mood;
    }
}
