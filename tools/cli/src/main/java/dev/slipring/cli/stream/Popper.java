// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Stage;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;

/**
 * Writes what a stage has to do to a stream. A message is done when it was written and flushed, not
 * before; if that fails, what is in hand goes back.
 */
public final class Popper implements AutoCloseable {

    private static final int MAX_CLAIM = 1_000;

    private final Stage stage;
    private final OutputStream out;
    private final Form form;
    private final ScheduledExecutorService clock;
    private long popped;

    /** Writes the messages of a stage in a form. */
    public Popper(Stage stage, OutputStream out, Form form) {
        this.stage = stage;
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.form = form;
        this.clock =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, "slipring-pop-lease");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** How many messages were written and are done. */
    public long popped() {
        return popped;
    }

    /**
     * Pops until so many are done or nothing could be claimed for so long.
     *
     * @param progress is told how many are done
     */
    public void pop(long max, Duration wait, LongConsumer progress) throws IOException {
        while (popped < max) {
            try (Claim claim = stage.claim((int) Math.min(MAX_CLAIM, max - popped), wait)) {
                if (claim.isEmpty()) {
                    return;
                }
                write(claim);
                claim.done();
                popped += claim.deliveries().size();
                progress.accept(popped);
            }
        }
    }

    private void write(Claim claim) throws IOException {
        HeldClaim held = new HeldClaim(claim, clock);
        try (held) {
            for (Delivery delivery : claim.deliveries()) {
                held.check();
                form.write(delivery, out);
            }
            out.flush();
        }
        held.check();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
