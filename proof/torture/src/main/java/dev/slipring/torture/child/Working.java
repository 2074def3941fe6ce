// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.torture.Course;
import dev.slipring.torture.Scale;
import dev.slipring.torture.arena.Arena;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A worker of one stage: it claims, and says every kind of word, sometimes too late. */
final class Working implements Runnable {

    private static final Duration WAIT = Duration.ofMillis(300);

    /** Longer than the test that idle processes do nothing, and no longer than a stop may take. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(6);

    /** How many lines of the stack trace are written down for something odd. */
    private static final int PLACES = 8;

    private final Ring ring;
    private final String stage;
    private final JournalFile journal;
    private final Orders orders;
    private final Moods moods;
    private final Random random;
    private final Effects effects;
    private final Voice voice;
    private final Halfway halfway;
    private final Scale scale;

    Working(Ring ring, String stage, Duty duty, Arena arena) {
        this.ring = ring;
        this.stage = stage;
        this.journal = duty.journal();
        this.orders = duty.orders();
        this.random = duty.random(stage);
        this.scale = duty.scale();
        this.moods = new Moods(random, scale.patience());
        this.effects = new Effects(ring, arena, journal);
        this.voice = new Voice(stage, journal);
        this.halfway = new Halfway(voice, effects, random);
    }

    @Override
    public void run() {
        while (!orders.stopped()) {
            try {
                work();
            } catch (NoSuchStage e) {
                // The visiting stage is not there now.
                pause(200);
            } catch (Fenced e) {
                // This claim is over, as the journal says; the worker goes on with the next.
                continue;
            } catch (SlipringException e) {
                journal.trouble(e);
                pause(50);
            } catch (Exception e) {
                journal.write("odd", stage, words(e));
                pause(500);
            }
        }
    }

    /** An error and where it came from. */
    private static String words(Exception e) {
        String places =
                Arrays.stream(e.getStackTrace())
                        .limit(PLACES)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining(" "));
        return (e + " at " + places).replaceAll("\\s+", " ");
    }

    private void work() throws Exception {
        Asking asking = new Asking(journal, stage, size());
        Claim claim =
                ring.stage(stage).claim(asking.max(), orders.resting() ? LONG_WAIT : WAIT);
        if (asking.answered(claim)) {
            speak(claim);
        }
    }

    /** How many messages to claim: many, few or one. */
    private int size() {
        return Sizes.any(random, scale.claimed());
    }

    /** Says the words about a claim, whatever they are to be. */
    private void speak(Claim claim) throws Exception {
        Moods.Mood mood = orders.calm() ? Moods.Mood.WELL : moods.next();
        if (mood != Moods.Mood.WELL) {
            journal.write("mood", stage, mood);
        }
        if (stage.equals(Course.PICKY) && !orders.calm()) {
            refuse(claim);
        }
        switch (claim.left().isEmpty() ? Moods.Mood.WELL : mood) {
            case SLOW -> slow(claim);
            case HANG -> pause(Course.LEASE.toMillis() * (105 + random.nextInt(80)) / 100);
            case FAIL -> fail(claim);
            case HALFWAY -> {
                // What was said in a transaction, the claim itself does not know.
                if (halfway.speak(claim) && !claim.left().isEmpty()) {
                    end(claim);
                }
                return;
            }
            case BACK -> voice.say("back", -1, claim::giveBack);
            case WELL -> {}
        }
        if (claim.left().isEmpty()) {
            return;
        }
        if (stage.equals(Course.JOINED)) {
            effects.done(stage, claim, random);
            return;
        }
        if (random.nextInt(4) == 0) {
            Delivery first = claim.left().get(0);
            voice.say("done", first.position(), () -> claim.done(first));
        }
        if (!claim.left().isEmpty()) {
            end(claim);
        }
    }

    /** Reports the rest as done; sometimes this asks for the next claim, too. */
    private void end(Claim claim) {
        if (random.nextInt(3) > 0) {
            voice.say("done", -1, claim::done);
            return;
        }
        Claim[] next = new Claim[1];
        Asking asking = new Asking(journal, stage, size());
        voice.say("done", -1, () -> next[0] = claim.doneAndNext(asking.max(), Duration.ZERO));
        if (asking.answered(next[0])) {
            voice.say("done", -1, next[0]::done);
        }
    }

    private void slow(Claim claim) {
        pause(Course.LEASE.toMillis() * (20 + random.nextInt(50)) / 100);
        if (random.nextBoolean()) {
            voice.say("extend", -1, claim::extend);
            pause(Course.LEASE.toMillis() * (30 + random.nextInt(40)) / 100);
        }
    }

    /** The messages that this stage cannot handle fail. */
    private void refuse(Claim claim) {
        for (Delivery delivery : claim.left()) {
            if (Body.isPoison(delivery, scale.perPoison())) {
                fail(claim, delivery, random.nextInt(100));
            }
        }
    }

    private void fail(Claim claim) {
        boolean first = Course.ORDERED.contains(stage);
        List<Delivery> left = claim.left();
        Delivery which = left.get(first ? 0 : random.nextInt(left.size()));
        fail(claim, which, random.nextInt(500));
    }

    private void fail(Claim claim, Delivery which, int retry) {
        voice.say(
                "fail " + retry,
                which.position(),
                () -> claim.fail(which, Course.FAILURE, Duration.ofMillis(retry)));
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
