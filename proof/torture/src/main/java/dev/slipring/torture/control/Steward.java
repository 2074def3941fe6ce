// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.Survey;
import dev.slipring.graph.Start;
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
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Changes the living ring, looks after it, and writes down what it did. Thread-safe. */
final class Steward {

    /** If nothing becomes done for this long, the ring stands still; in microseconds. */
    private static final long MOST_STILL = TimeUnit.MINUTES.toMicros(2);

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
        } catch (SlipringException | IllegalArgumentException e) {
            trouble(e);
        } finally {
            journal.write("obeyed", outcome);
        }
        return outcome.equals("ok");
    }

    /** Writes down something that was done to the whole store. */
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

    boolean pause(String stage) {
        return order("pause", stage, () -> ring.stage(stage).pause());
    }

    boolean resume(String stage) {
        return order("resume", stage, () -> ring.stage(stage).resume());
    }

    /** Rewinds a stage, to the oldest message or by a short time. */
    boolean rewind(String stage, int choice) {
        Start start =
                choice % 4 == 0
                        ? Start.OLDEST
                        : Start.at(Instant.now().minusMillis(200 + choice % 1_000));
        return order("rewind", stage, () -> ring.stage(stage).rewind(start));
    }

    /** Looks at dead letters, and retries or drops them; returns whether there were any. */
    synchronized boolean letters(int choice) {
        boolean any = false;
        for (String stage : Course.STAGES) {
            any |= new LetterOffice(ring, stage, journal).handle(choice, this::counted);
        }
        return any;
    }

    /** Does something to dead letters, and writes down how many they were. */
    private void counted(String kind, String stage, String ids, LongSupplier change) {
        journal.write("order", kind, stage, ids);
        String outcome = "unknown";
        try {
            outcome = "ok " + change.getAsLong();
        } catch (SlipringException e) {
            trouble(e);
        } finally {
            journal.write("obeyed", outcome);
        }
    }

    /** Retries all dead letters; returns whether there were any. */
    private boolean retryDead() {
        boolean retried = false;
        for (Survey.StageSurvey stage : ring.info().stages()) {
            if (stage.dead() > 0) {
                String name = stage.name();
                retried |= order("retry", name, () -> ring.stage(name).retryAllDead());
            }
        }
        return retried;
    }

    /** Adds the visiting stage if it is not there, and removes it if it is. */
    synchronized boolean visit(boolean newest) {
        String visitor = Course.VISITOR;
        boolean there = ring.spec().stages().names().contains(visitor);
        if (there) {
            return order("remove", visitor, () -> ring.stage(visitor).remove());
        }
        Start start = newest ? Start.NEWEST : Start.OLDEST;
        return order(
                "add", visitor, () -> ring.addStage(Course.stage(visitor), Set.of("take"), start));
    }

    /** Checks that the ring is within its bounds and, now and then, its invariants. */
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
     * Waits until every message is done in every stage, as long as more and more of them become
     * done; returns whether all did.
     *
     * @param words is told now and then how many messages the slowest stage has left
     */
    boolean bringToEnd(Crew crew, Consumer<String> words) throws IOException, InterruptedException {
        for (Survey.StageSurvey stage : ring.info().stages()) {
            resume(stage.name());
        }
        long told = Ticks.now();
        long wentOn = told;
        long least = Long.MAX_VALUE;
        for (Survey now = ring.info(); !isAtEnd(now); now = ring.info()) {
            long time = Ticks.now();
            long left = lags(now).sum();
            if (left < least) {
                least = left;
                wentOn = time;
            }
            if (time - told > TOLD_EVERY) {
                told = time;
                words.accept(lags(now).max().orElse(0) + " to go");
            }
            if (time - wentOn > MOST_STILL) {
                findings.add("promise 3: the ring did not come to its end: " + now);
                return false;
            }
            retryDead();
            crew.look();
            Thread.sleep(200);
        }
        return true;
    }

    /** How many messages each stage has left. */
    private static LongStream lags(Survey survey) {
        return survey.stages().stream().mapToLong(Survey.StageSurvey::lag);
    }

    private static boolean isAtEnd(Survey survey) {
        return survey.stages().stream()
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
        for (Survey.StageSurvey stage : end.stages()) {
            if (!stage.name().equals(Course.VISITOR)) {
                journal.write("tally", stage.name(), stage.redelivered(), stage.failed());
            }
        }
        journal.write("end", end.pushed());
    }

    List<String> findings() {
        return List.copyOf(findings);
    }
}
