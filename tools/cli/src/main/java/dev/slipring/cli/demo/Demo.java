// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Survey;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.cli.text.SizeText;
import dev.slipring.engine.Capability;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The demonstration: the quakes of a week through a diamond of stages.
 *
 * <pre>
 *               +--&gt; locate --+
 *  producers ---+             +--&gt; alert     one worker of grade dies in the middle of its claim
 *               +--&gt; grade  --+
 * </pre>
 */
public final class Demo {

    private static final int CAPACITY = 480;
    private static final int PRODUCERS = 4;
    private static final int WORKERS = 2;
    private static final int BEFORE_THE_DEATH = 300;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Slipring slipring;
    private final Ring ring;
    private final String url;
    private final Consumer<String> says;
    private final boolean coloured;
    private final Tally tally = new Tally();
    private final CountDownLatch inDoomedHand = new CountDownLatch(1);
    private long start;

    /**
     * A demonstration on a new ring.
     *
     * @param says gets each line about what happens
     * @param coloured whether the lines may have colours
     */
    public Demo(
            Slipring slipring, String url, String name, Consumer<String> says, boolean coloured) {
        this.slipring = slipring;
        this.url = url;
        this.says = says;
        this.coloured = coloured;
        this.ring =
                slipring.create(
                        RingSpec.named(name)
                                .lanes(1)
                                .messages(CAPACITY)
                                .graph(
                                        FanOut.to(stage("locate"))
                                                .and(stage("grade"))
                                                .then(stage("alert"))));
    }

    private static StageSpec stage(String name) {
        return StageSpec.named(name).lease(LEASE);
    }

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        List<String> quakes = Quake.week();
        List<Workers> workers = new ArrayList<>();
        try (Doomed doomed = doomed()) {
            introduce(quakes.size(), doomed);
            start = System.nanoTime();
            WorkOptions how = WorkOptions.threads(WORKERS).batch(16);
            workers.add(ring.stage("locate").work(how, tally::locate));
            workers.add(
                    ring.stage("grade")
                            .work(
                                    how,
                                    delivery -> {
                                        makeWay();
                                        tally.grade(delivery);
                                    }));
            workers.add(ring.stage("alert").work(how, tally::alert));
            Producers producers = new Producers(ring, tally, quakes, PRODUCERS);
            dieInTheMiddle(doomed);
            producers.await(PATIENCE);
            if (!ring.drain(PATIENCE)) {
                says.accept("not all was done in time");
            }
            Result result = new Result(tally, ring.info(), System.nanoTime() - start);
            finish(result);
            return result;
        } finally {
            inDoomedHand.countDown();
            workers.forEach(Workers::close);
        }
    }

    private Doomed doomed() throws IOException {
        if (!slipring.store().capabilities().contains(Capability.SHARED)) {
            return new DoomedThread(ring.stage("grade"));
        }
        DoomedProcess process = DoomedProcess.start(url, ring.name(), "grade");
        process.awaitReady();
        return process;
    }

    private void introduce(int quakes, Doomed doomed) {
        says.accept(
                SizeText.showCount(quakes)
                        + " earthquakes of one week, one message each, through a ring that "
                        + "holds "
                        + CAPACITY
                        + ":");
        says.accept("");
        says.accept("                  +--> locate --+");
        says.accept(
                "    "
                        + PRODUCERS
                        + " producers --+             +--> alert     "
                        + WORKERS
                        + " workers each, leases of "
                        + LEASE.toSeconds()
                        + " s");
        says.accept("                  +--> grade  --+");
        says.accept("                         one more: " + doomed.words());
        says.accept("");
    }

    /** Has the workers of grade wait once, until the worker that is to die has its claim. */
    private void makeWay() throws InterruptedException {
        if (tally.graded() >= BEFORE_THE_DEATH) {
            inDoomedHand.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void dieInTheMiddle(Doomed doomed) throws IOException, InterruptedException {
        await(() -> waiting() >= DoomedProcess.MESSAGES, PATIENCE);
        Doomed.Hand hand = doomed.claim();
        inDoomedHand.countDown();
        tell(
                "it has claimed "
                        + SizeText.count(hand.messages(), "message")
                        + " of grade, "
                        + hand.from()
                        + " to "
                        + (hand.to() - 1)
                        + ", and graded "
                        + hand.handled());
        tell(doomed.kill());
        await(() -> ring.info().heldMessages() >= CAPACITY, LEASE.dividedBy(2));
        says.accept("");
        draw(ring.info(), hand.from(), hand.to());
        tell("the push waits at the gate, the gate for grade, grade for the lease of the dead");
        await(() -> ring.info().stages().get(1).redelivered() > 0, PATIENCE);
        tell("the lease ran out: grade hands its messages to others");
    }

    /** How many messages grade has not claimed; 0 until its other workers make way. */
    private long waiting() {
        Survey survey = ring.info();
        return tally.graded() < BEFORE_THE_DEATH
                ? 0
                : survey.pushed() - survey.stages().get(1).claimed();
    }

    private static void await(BooleanSupplier condition, Duration atMost)
            throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean() && deadline - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void finish(Result result) {
        tell("all is done");
        says.accept("");
        draw(result.survey(), 0, 0);
        result.lines().forEach(says);
        if (!ring.check().isEmpty()) {
            throw new SlipringException("the ring is broken: " + String.join("; ", ring.check()));
        }
    }

    private void draw(Survey survey, long lostFrom, long lostTo) {
        new RingDrawing(survey, lostFrom, lostTo).lines(coloured).forEach(says);
        says.accept("");
    }

    private void tell(String words) {
        says.accept(
                String.format(
                        Locale.ROOT, "%5.2f s  %s", (System.nanoTime() - start) / 1e9, words));
    }
}
