// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.engine.Start;
import dev.slipring.engine.Survey;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.torture.Course;
import dev.slipring.torture.Ticks;
import dev.slipring.torture.child.JournalFile;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Changes the living ring, looks after it, and writes down what it did. Thread-safe. */
final class Steward {

    private static final long MOST_TO_END = TimeUnit.MINUTES.toMicros(4);
    private static final long TOLD_EVERY = TimeUnit.SECONDS.toMicros(10);
    private static final int LOOKS_PER_CHECK = 20;

    private final Ring ring;
    private final JournalFile journal;
    private final Bounds bounds;
    private final List<String> findings = new CopyOnWriteArrayList<>();
    private int looks;

    /**
     * A steward.
     *
     * @param exact whether pushes into several lanes at one time stay within the capacity
     * @param forgets whether a server that is killed forgets words
     */
    Steward(Ring ring, JournalFile journal, boolean exact, boolean forgets) {
        this.ring = ring;
        this.journal = journal;
        this.bounds = new Bounds(ring, exact, forgets);
    }

    /** Does something to a stage, and writes down that it was tried and what came of it. */
    private synchronized boolean order(String kind, String stage, Runnable change) {
        journal.write("order", kind, stage);
        if (kind.equals("rewind") || kind.equals("add")) {
            bounds.stageWentBack();
        }
        String outcome = "unknown";
        try {
            change.run();
            outcome = "ok";
        } catch (SlipringException | NoSuchStage | IllegalArgumentException e) {
            trouble(e);
        } finally {
            journal.write("obeyed", outcome);
        }
        return outcome.equals("ok");
    }

    /** Writes down what was done to all. */
    void note(String kind, String what) {
        journal.write(kind, what);
        if (kind.equals("server")) {
            bounds.serverWasKilled();
        }
    }

    void find(String words) {
        findings.add(words);
    }

    void trouble(Exception e) {
        journal.trouble(e);
    }

    void pause(String stage) {
        order("pause", stage, () -> ring.stage(stage).pause());
    }

    boolean resume(String stage) {
        return order("resume", stage, () -> ring.stage(stage).resume());
    }

    /** Goes back to the oldest message, or for a little while. */
    void rewind(String stage, int choice) {
        Start start =
                choice % 4 == 0
                        ? Start.OLDEST
                        : Start.at(Instant.now().minusMillis(200 + choice % 1_000));
        order("rewind", stage, () -> ring.stage(stage).rewind(start));
    }

    void retryDead() {
        for (Survey.StageSurvey stage : ring.info().stages()) {
            if (stage.dead() > 0) {
                order("retry", stage.name(), () -> ring.stage(stage.name()).retryAllDead());
            }
        }
    }

    /** The visitor comes if it is not there, and leaves if it is. */
    synchronized void visit(boolean newest) {
        String visitor = Course.VISITOR;
        boolean there = ring.spec().stages().names().contains(visitor);
        if (there) {
            order("remove", visitor, () -> ring.stage(visitor).remove());
        } else {
            Start start = newest ? Start.NEWEST : Start.OLDEST;
            order(
                    "add",
                    visitor,
                    () -> ring.addStage(Course.stage(visitor), Set.of("take"), start));
        }
    }

    /** Looks whether the ring is within its bounds and, now and then, whether it stands right. */
    synchronized void look() {
        try {
            bounds.look().ifPresent(findings::add);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (++looks % LOOKS_PER_CHECK == 0) {
            check();
        }
    }

    private synchronized void check() {
        ring.check().forEach(broken -> findings.add("slipring check: " + broken));
    }

    /**
     * Waits until every message is done in every stage; returns whether they came so far.
     *
     * @param words is told now and then how many are left
     */
    boolean bringToEnd(Crew crew, Consumer<String> words) throws IOException, InterruptedException {
        for (Survey.StageSurvey stage : ring.info().stages()) {
            resume(stage.name());
        }
        long begin = Ticks.now();
        long told = begin;
        while (!isAtEnd()) {
            long now = Ticks.now();
            if (now - told > TOLD_EVERY) {
                told = now;
                words.accept(left() + " to go");
            }
            if (now - begin > MOST_TO_END) {
                findings.add("promise 3: the ring did not come to its end: " + ring.info());
                return false;
            }
            retryDead();
            crew.look();
            Thread.sleep(200);
        }
        return true;
    }

    /** How many messages the slowest stage has before it. */
    private long left() {
        return ring.info().stages().stream().mapToLong(Survey.StageSurvey::lag).max().orElse(0);
    }

    private boolean isAtEnd() {
        return ring.info().stages().stream()
                .allMatch(
                        stage ->
                                stage.lag() == 0
                                        && stage.inHand().isEmpty()
                                        && stage.aside() + stage.dead() == 0);
    }

    synchronized void lastLook() {
        check();
        Survey end = ring.info();
        if (end.heldMessages() != 0 || end.heldBytes() != 0) {
            findings.add(
                    "promise 6: all is done, and the ring holds "
                            + end.heldMessages()
                            + " messages with "
                            + end.heldBytes()
                            + " bytes");
        }
        journal.write("end", end.pushed());
    }

    List<String> findings() {
        return List.copyOf(findings);
    }
}
