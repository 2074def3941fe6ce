// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Ring;
import dev.slipring.torture.Course;
import dev.slipring.torture.arena.Arena;

import java.util.ArrayList;
import java.util.List;

/**
 * The workers of a process, on all stages. In half of the processes they claim and report by
 * themselves. In the others Slipring's own workers call handlers, except in the stage whose words
 * are in transactions and in the one that comes and goes.
 */
final class Staff {

    private final Ring ring;
    private final Ring witnessed;
    private final Arena arena;
    private final Handled handled;
    private final Duty duty;

    /**
     * The workers; they do not work yet.
     *
     * @param witnessed the same ring, over a store that writes down what is claimed and reported
     */
    Staff(Ring ring, Ring witnessed, Arena arena, Handled handled, Duty duty) {
        this.ring = ring;
        this.witnessed = witnessed;
        this.arena = arena;
        this.handled = handled;
        this.duty = duty;
    }

    /** Works until told to stop. */
    void work() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        Course.STAGES.forEach(stage -> threads.add(new Thread(worker(stage), stage)));
        threads.add(new Thread(working(Course.VISITOR), Course.VISITOR));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private Runnable worker(String stage) {
        return (duty.seed() & 1) == 0 || stage.equals(Course.JOINED)
                ? working(stage)
                : new Handling(witnessed, stage, duty, handled);
    }

    private Runnable working(String stage) {
        return new Working(ring, stage, duty, arena);
    }
}
