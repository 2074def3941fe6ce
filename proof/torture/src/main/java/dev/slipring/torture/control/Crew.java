// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.torture.TortureRequest;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.child.ChildMain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The processes that are there now; who is killed is followed by another. */
final class Crew {

    private static final int PRODUCERS = 2;
    private static final int WORKERS = 3;

    /** Clients' clocks, in seconds from the true one, where the store has a clock of its own. */
    private static final List<Long> SHIFTS = List.of(0L, -86_400L, 3_600L, 0L, 5L);

    private final Arena arena;
    private final Path journals;
    private final Random seeds;
    private final int rate;
    private final List<Child> children = new ArrayList<>();
    private final List<String> deaths = new ArrayList<>();
    private boolean calm;
    private int born;
    private int shifted;

    Crew(Arena arena, Path journals, TortureRequest request) {
        this.arena = arena;
        this.journals = journals;
        this.seeds = new Random(request.seed());
        this.rate = request.rate();
    }

    void start() throws IOException {
        for (int i = 0; i < PRODUCERS + WORKERS; i++) {
            children.add(another(i < PRODUCERS ? "producer" : "worker"));
        }
    }

    private Child another(String role) throws IOException {
        long shift = arena.hasClock() ? SHIFTS.get(born % SHIFTS.size()) : 0;
        shifted += shift == 0 ? 0 : 1;
        String pace = "" + (double) rate / PRODUCERS;
        String[] arguments = {role, "" + ++born, "" + seeds.nextLong(), "" + shift, pace};
        Child child = Child.start(arguments, arena.urlOnTheWire(), journals);
        if (calm) {
            child.tell("calm");
        }
        return child;
    }

    private List<Child> of(String role) {
        return children.stream().filter(child -> child.role().equals(role)).toList();
    }

    /** Kills one and starts another in its place. */
    void kill(String role, int choice) throws IOException, InterruptedException {
        List<Child> some = of(role);
        replace(some.get(choice % some.size()));
    }

    /** Kills all at once; returns how many that were. */
    int killAll() throws IOException, InterruptedException {
        List<Child> all = List.copyOf(children);
        for (Child child : all) {
            child.kill();
        }
        for (Child child : all) {
            replace(child);
        }
        return all.size();
    }

    private void replace(Child child) throws IOException, InterruptedException {
        child.kill();
        note(child);
        children.set(children.indexOf(child), another(child.role()));
    }

    private void note(Child child) {
        if (child.diedByItself()) {
            deaths.add(child + " ended by itself; what it said stands beside its journal");
        }
    }

    /** Stops one where it is; returns it, to let it go on. */
    Child stop(String role, int choice) throws IOException, InterruptedException {
        List<Child> some = of(role);
        Child child = some.get(choice % some.size());
        child.stop();
        return child;
    }

    /** Notices who ended by himself, and starts another. */
    void look() throws IOException {
        for (Child child : List.copyOf(children)) {
            if (child.diedByItself()) {
                note(child);
                children.set(children.indexOf(child), another(child.role()));
            }
        }
    }

    /** The numbers of the processes that are there. */
    List<Long> pids() {
        return children.stream().map(Child::pid).toList();
    }

    /** Lets all look what is alive in their heaps. */
    void lookAtHeaps() {
        children.forEach(child -> child.tell(ChildMain.ALIVE));
    }

    /** How many bytes were alive in all heaps when they looked last. */
    long alive() {
        try {
            long sum = 0;
            for (Child child : children) {
                sum += child.alive();
            }
            return sum;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int shifted() {
        return shifted;
    }

    /** Those who ended by themselves, in words. */
    List<String> deaths() {
        return deaths;
    }

    /** Producers come to their end, workers make no more trouble. */
    void calm() throws IOException, InterruptedException {
        calm = true;
        for (Child child : children) {
            child.goOn();
            child.tell(child.role().equals("producer") ? "stop" : "calm");
        }
        end(of("producer"));
    }

    /** All that is left wait, as there is nothing to do. */
    void rest() {
        children.forEach(child -> child.tell("rest"));
    }

    /** How long the processes that are there now have kept a processor busy. */
    Duration cpu() {
        return children.stream().map(Child::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    void stop() throws InterruptedException {
        children.forEach(child -> child.tell("stop"));
        end(List.copyOf(children));
    }

    private void end(List<Child> some) throws InterruptedException {
        for (Child child : some) {
            if (!child.awaitEnd(60)) {
                deaths.add(child + " did not come to its end within a minute");
                child.kill();
            } else {
                note(child);
            }
            children.remove(child);
        }
    }

    /** Leaves nobody behind, however this ended. */
    void end() {
        for (Child child : children) {
            try {
                child.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
