// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.torture.Course;
import dev.slipring.torture.arena.Arena;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process of the torture: the arguments are its role, its number, its seed and its journal; the
 * store's URL stands in the environment. It hears {@code calm} and {@code stop} on its standard
 * input, and ends at once when that ends.
 */
public final class ChildMain {

    /** The variable of the environment that names the store. */
    public static final String URL = "SLIPRING_URL";

    private static final Duration PUSH_TIMEOUT = Duration.ofSeconds(2);

    private ChildMain() {}

    /** Plays a role until told to stop. */
    public static void main(String[] args) throws Exception {
        String url = System.getenv(URL);
        int number = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        Orders orders = new Orders();
        Options options =
                Options.url(url).existingOnly().pushTimeout(PUSH_TIMEOUT).worker("worker" + number);
        try (JournalFile journal = new JournalFile(Path.of(args[3]));
                Slipring slipring = Slipring.open(options)) {
            journal.write("born", ProcessHandle.current().pid());
            Arena arena = Arena.of(url);
            Thread listener = new Thread(() -> listen(orders), "orders");
            listener.setDaemon(true);
            listener.start();
            if (args[0].equals("producer")) {
                new Producing(slipring.ring(Course.RING), arena, journal, number, seed)
                        .until(orders);
            } else {
                Working.all(slipring.ring(Course.RING), arena, journal, seed, orders);
            }
            journal.write("gone");
        }
    }

    private static void listen(Orders orders) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                orders.hear(line);
            }
        } catch (java.io.IOException e) {
            orders.hear("stop");
        }
        if (!orders.stopped()) {
            Runtime.getRuntime().halt(3);
        }
    }
}
