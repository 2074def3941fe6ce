// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.torture.Course;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A worker that reports many messages of its claim, one by one or all up to somewhere, and stops
 * half-way: it goes away, hangs past its lease, or comes back in time.
 */
final class Halfway {

    private final Voice voice;
    private final Effects effects;
    private final Random random;

    Halfway(Voice voice, Effects effects, Random random) {
        this.voice = voice;
        this.effects = effects;
        this.random = random;
    }

    /** Reports a part; returns whether the worker is to report what is left. */
    boolean speak(Claim claim) throws InterruptedException {
        List<Delivery> left = claim.left();
        // Mostly a good part, so that slots leave the ring in front of what is left.
        int told = (int) (left.size() * Math.sqrt(random.nextDouble()));
        boolean joined = voice.stage().equals(Course.JOINED);
        if (joined || random.nextBoolean()) {
            List<Delivery> front = left.subList(0, told);
            boolean taken = front.isEmpty() || effects.part(voice.stage(), claim, front, random);
            return taken && !joined && stays(claim, left.subList(told, left.size()));
        }
        List<Delivery> some = left.subList(0, told);
        if (!isOrdered() && random.nextBoolean()) {
            some = new ArrayList<>(left);
            Collections.shuffle(some, random);
            some = some.subList(0, told);
        }
        some.forEach(one -> voice.say("done", one.position(), () -> claim.done(one)));
        return stays(claim, claim.left());
    }

    private boolean isOrdered() {
        return Course.ORDERED.contains(voice.stage());
    }

    /** What the worker does about the rest; returns whether it is to report it. */
    private boolean stays(Claim claim, List<Delivery> rest) {
        long lease = Course.LEASE.toMillis();
        int choice = random.nextInt(6);
        if (choice < 3 || rest.isEmpty()) {
            return false;
        }
        if (choice == 3) {
            Working.pause(lease * (105 + random.nextInt(40)) / 100);
            return true;
        }
        // Meanwhile the ring may go around.
        Working.pause(lease * (30 + random.nextInt(60)) / 100);
        Delivery first = rest.get(0);
        switch (random.nextInt(4)) {
            case 0 ->
                    voice.say(
                            "fail 0",
                            first.position(),
                            () -> claim.fail(first, Course.FAILURE, Duration.ZERO));
            case 1 -> voice.say("back", -1, claim::giveBack);
            case 2 -> voice.say("done", first.position(), () -> claim.done(first));
            default -> voice.say("extend", -1, claim::extend);
        }
        return true;
    }
}
