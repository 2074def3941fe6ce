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

/** The processes that run now; one that is killed is replaced. */
final class Crew {

    private static final int PRODUCERS = 2;
    private static final int WORKERS = 3;

    /** By how many seconds the clocks of clients are wrong, if the store has a clock of its own. */
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

    /** Kills a process and starts another in its place. */
    void kill(String role, int choice) throws IOException, InterruptedException {
        List<Child> some = of(role);
        replace(some.get(choice % some.size()));
    }

    /** Kills all processes at once; returns how many there were. */
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

    /** Stops a process wherever it is; returns it, so that the caller can let it go on. */
    Child stop(String role, int choice) throws IOException, InterruptedException {
        List<Child> some = of(role);
        Child child = some.get(choice % some.size());
        child.stop();
        return child;
    }

    /** Replaces processes that have ended by themselves, and notes that they did. */
    void look() throws IOException {
        for (Child child : List.copyOf(children)) {
            if (child.diedByItself()) {
                note(child);
                children.set(children.indexOf(child), another(child.role()));
            }
        }
    }

    /** The numbers of the processes that run now. */
    List<Long> pids() {
        return children.stream().map(Child::pid).toList();
    }

    /** Tells all processes to look how much is alive in their heaps. */
    void lookAtHeaps() {
        children.forEach(child -> child.tell(ChildMain.ALIVE));
    }

    /** How many bytes were alive in all heaps when the processes last looked. */
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

    /** The processes that ended by themselves, as text. */
    List<String> deaths() {
        return deaths;
    }

    /** Tells producers to come to their end, and handlers to make no more trouble. */
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

    /** How much processor time the processes that run now have used. */
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

    /** Ends all processes, however the torture went. */
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
