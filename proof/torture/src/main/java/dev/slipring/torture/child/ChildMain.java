// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.engine.Store;
import dev.slipring.torture.Course;
import dev.slipring.torture.Scale;
import dev.slipring.torture.arena.Arena;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A process of the torture. Its arguments are its journal, its role, its number, its seed, by how
 * many seconds its clock is wrong, and how many messages a second a producer pushes at most, 0 for
 * no limit; the store's URL is in the environment. On its standard input it gets the orders {@code
 * calm}, {@code rest}, {@code stop} and {@code alive}; after the last it writes down how much of
 * its heap is alive. When its input ends, it ends at once.
 */
public final class ChildMain {

    /** The variable of the environment that names the store. */
    public static final String URL = "SLIPRING_URL";

    /** The order to write down how much of the heap is alive. */
    public static final String ALIVE = "alive";

    private static final Duration PUSH_TIMEOUT = Duration.ofSeconds(2);

    /** How long the store may be out of reach at the start. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The exit codes if its controller is gone, and if one of its threads broke. */
    private static final int ORPHANED = 3;

    private static final int BROKE = 4;

    /** Kept, as its level is forgotten with it. */
    private static final Logger HANDLERS = Logger.getLogger("dev.slipring.handlers");

    private ChildMain() {}

    /** Plays a role until told to stop. */
    public static void main(String[] args) throws Exception {
        HANDLERS.setLevel(Level.OFF); // here handlers throw on purpose
        String url = System.getenv(URL);
        Path file = Path.of(args[0]);
        String role = args[1];
        int number = Integer.parseInt(args[2]);
        long seed = Long.parseLong(args[3]);
        Duration shift = Duration.ofSeconds(Long.parseLong(args[4]));
        Pace pace = new Pace(Double.parseDouble(args[5]));
        Orders orders = new Orders();
        Options options =
                Options.url(url)
                        .existingOnly()
                        .pushTimeout(PUSH_TIMEOUT)
                        .clock(InstantSource.offset(InstantSource.system(), shift))
                        .worker("worker" + number);
        Thread.setDefaultUncaughtExceptionHandler(ChildMain::fall);
        try (JournalFile journal = new JournalFile(file);
                Slipring slipring = patiently(journal, () -> Slipring.open(options))) {
            journal.write("born", ProcessHandle.current().pid());
            Arena arena = Arena.of(url);
            Thread listener = new Thread(() -> listen(orders, file), "orders");
            listener.setDaemon(true);
            listener.start();
            Ring ring = patiently(journal, () -> slipring.ring(Course.RING));
            Scale scale = patiently(journal, () -> Scale.of(ring.spec()));
            if (role.equals("producer")) {
                new Producing(ring, scale, arena, journal, number, seed, pace).until(orders);
            } else {
                Handled handled = new Handled();
                Store witness = Witness.of(slipring.store(), journal, handled);
                try (Slipring seen =
                        Slipring.over(witness, options.listener(new Broken(journal)))) {
                    Ring same = patiently(journal, () -> seen.ring(Course.RING));
                    Duty duty = new Duty(journal, seed, orders, scale);
                    new Staff(ring, same, arena, handled, duty).work();
                }
            }
            journal.write("gone");
        }
    }

    /**
     * Ends the process if one of its threads broke, so that the controller notices it; the reason
     * is printed.
     */
    private static void fall(Thread thread, Throwable error) {
        try {
            System.err.println(thread.getName() + " broke:");
            error.printStackTrace();
        } finally {
            Runtime.getRuntime().halt(BROKE);
        }
    }

    /** Tries again until a server that is down, or a wire that was cut, is back. */
    private static <T> T patiently(JournalFile journal, Supplier<T> what)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return what.get();
            } catch (SlipringException e) {
                journal.trouble(e);
                if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private static void listen(Orders orders, Path journal) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                orders.hear(line);
                if (line.equals(ALIVE)) {
                    AliveFile.write(journal);
                }
            }
        } catch (IOException e) {
            orders.hear("stop");
        }
        if (!orders.stopped()) {
            Runtime.getRuntime().halt(ORPHANED);
        }
    }
}
