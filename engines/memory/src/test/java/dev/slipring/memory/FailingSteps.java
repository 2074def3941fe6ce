// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Listener;
import dev.slipring.ManualClock;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.steps.Simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A client's random steps on a ring whose store fails and delays by plan, with an account of what
 * the client was told. All messages have a key, as the journal chooses the lane of a message
 * without one.
 */
final class FailingSteps implements Simulation.Steps {

    static final Duration LEASE = Duration.ofMillis(100);

    private final Random random;
    private final ManualClock clock;
    private final PlannedStore plan;
    private final Slipring slipring;
    private final Ring ring;
    private final List<Stage> stages = new ArrayList<>();
    private final Account account;
    private final List<Open> open = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int pushes;

    /** A claim of the client, and until when it surely is in hand. */
    private static final class Open {

        final Claim claim;
        long until;

        Open(Claim claim, long until) {
            this.claim = claim;
            this.until = until;
        }
    }

    FailingSteps(Random random, Store real, ManualClock clock, RingSpec spec) {
        this.random = random;
        this.clock = clock;
        this.plan = PlannedStore.over(real, random, clock, log);
        this.slipring =
                Slipring.over(
                        plan.store(),
                        Options.url("memory:")
                                .clock(clock)
                                .pushTimeout(Duration.ZERO)
                                .listener(new Listener() {}));
        this.ring = slipring.create(spec);
        this.account = new Account(spec);
        spec.stages().names().forEach(name -> stages.add(ring.stage(name)));
    }

    @Override
    public List<String> log() {
        return log;
    }

    @Override
    public void step() {
        int dice = random.nextInt(100);
        if (dice < 25) {
            push();
        } else if (dice < 55) {
            claim(stages.get(random.nextInt(stages.size())), 1 + random.nextInt(6));
        } else if (dice < 90) {
            word();
        } else {
            clock.advance(Duration.ofMillis(random.nextInt(40)));
        }
    }

    private void push() {
        List<Message> messages = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        pushes++;
        for (int i = random.nextInt(5); i >= 0; i--) {
            String text = pushes + "." + i;
            texts.add(text);
            messages.add(Message.of(text).key("k" + random.nextInt(5)));
        }
        log.add("push " + texts);
        try {
            ring.pushAll(messages);
            account.pushed(texts);
        } catch (RingFull full) {
            log.add("  full");
        } catch (SlipringException e) {
            // The push is surely not stored: the journal looks up an outcome that it does not know.
            log.add("  refused");
        }
    }

    private boolean claim(Stage stage, int max) {
        long begin = clock.millis();
        try {
            Claim claim = stage.claim(max, Duration.ZERO);
            got(stage.name(), claim, begin);
            return !claim.isEmpty();
        } catch (SlipringException e) {
            log.add("claim " + stage.name() + " fails");
            return true;
        }
    }

    private void got(String stage, Claim claim, long begin) {
        if (claim.isEmpty()) {
            return;
        }
        log.add("claim " + stage + " " + claim.deliveries().stream().map(Delivery::text).toList());
        open.removeIf(other -> other.until <= begin);
        account.claimed(stage, claim, open.stream().map(other -> other.claim).toList());
        open.add(new Open(claim, begin + LEASE.toMillis()));
    }

    private void word() {
        if (open.isEmpty()) {
            return;
        }
        Open some = open.get(random.nextInt(open.size()));
        long begin = clock.millis();
        List<Delivery> left = some.claim.left();
        int dice = random.nextInt(7);
        String stage = account.stageOf(some.claim);
        log.add("word " + dice + " on " + left.stream().map(Delivery::text).toList());
        if (left.isEmpty()) {
            open.remove(some);
            return;
        }
        try {
            switch (dice) {
                case 0 -> {
                    some.claim.done(left.get(0));
                    account.done(stage, left.subList(0, 1));
                }
                case 1 -> some.claim.fail(left.get(0), "no");
                case 2 -> {
                    some.claim.extend();
                    some.until = begin + LEASE.toMillis();
                }
                case 3 -> some.claim.giveBack();
                case 4, 5 -> {
                    some.claim.done();
                    rest(stage, some, left);
                }
                default -> {
                    Claim next = some.claim.doneAndNext(4, Duration.ZERO);
                    rest(stage, some, left);
                    open.remove(some);
                    got(stage, next, begin);
                }
            }
            if (some.claim.left().isEmpty()) {
                open.remove(some);
            }
        } catch (Fenced e) {
            // The lease may have run out, or the store had recorded the same word and its answer
            // was lost.
            log.add("  fenced");
            assertThat(some.until <= clock.millis() || account.isSpokenOf(some.claim)).isTrue();
            open.remove(some);
        } catch (IllegalArgumentException e) {
            log.add("  spoken of already");
            assertThat(account.isSpokenOf(some.claim)).isTrue();
            open.remove(some);
        } catch (SlipringException e) {
            account.unsure(some.claim);
            // The word may be repeated, but the claim is no longer surely in hand.
            some.until = begin;
        }
    }

    /** Reports the rest as done, without what a word reported before whose answer was lost. */
    private void rest(String stage, Open some, List<Delivery> left) {
        if (!account.isSpokenOf(some.claim)) {
            account.done(stage, left);
        }
    }

    /** Lets the store work again, does everything there is to do, and compares. */
    @Override
    public void finish() {
        plan.calm();
        open.clear();
        boolean more = true;
        // A message whose last attempt runs out becomes dead at the next look, and can be retried
        // only after that.
        for (int round = 0; more || round < 3; round++) {
            assertThat(round).isLessThan(200);
            clock.advance(LEASE.plusMillis(10));
            more = false;
            for (Stage stage : stages) {
                more |= stage.retryAllDead() > 0;
                while (claim(stage, 50)) {
                    more = true;
                    Claim last = open.get(open.size() - 1).claim;
                    last.done();
                    account.done(stage.name(), last.deliveries());
                    open.clear();
                }
            }
        }
        account.checkAll();
        assertThat(ring.check()).isEmpty();
        assertThat(ring.info().heldMessages()).isZero();
        slipring.close();
    }
}
