// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Stage;
import dev.slipring.engine.Claimed;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Claims the messages of a stage and writes them to a stream. A message is done when it was written
 * and flushed, not before; if that fails, what is in hand goes back.
 */
public final class Popper implements AutoCloseable {

    private static final int MAX_CLAIM = 1_000;

    /** How long {@code stop} waits for a reader to take what is being written. */
    private static final long PATIENCE_MILLIS = 500;

    private final Stage stage;
    private final OutputStream out;
    private final Form form;
    private final Consumer<String> trouble;
    private final ScheduledExecutorService clock;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Thread popping;
    private volatile boolean stopping;
    private volatile Claim inHand;
    private long popped;
    private String why = Claimed.IDLE;

    /**
     * Writes the messages of a stage in a form.
     *
     * @param trouble is told, in words, when the store is out of reach and is tried again
     */
    public Popper(Stage stage, OutputStream out, Form form, Consumer<String> trouble) {
        this.stage = stage;
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.form = form;
        this.trouble = trouble;
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

    /** What keeps the stage from handing out more; empty if it has nothing to do. */
    public Optional<String> stopped() {
        return Optional.of(why).filter(reason -> !reason.equals(Claimed.IDLE));
    }

    /**
     * Pops until {@code max} messages are done, or nothing could be claimed for {@code wait}, for
     * example because the store was out of reach.
     *
     * @param progress is told how many are done
     */
    public void pop(long max, Duration wait, LongConsumer progress) throws IOException {
        popping = Thread.currentThread();
        PatientStage patient = new PatientStage(stage, wait, trouble);
        try {
            while (popped < max && !stopping) {
                try (Claim claim = patient.claim((int) Math.min(MAX_CLAIM, max - popped))) {
                    inHand = claim;
                    if (claim.isEmpty()) {
                        why = claim.reason();
                        return;
                    }
                    write(claim);
                    patient.done(claim);
                    popped += claim.deliveries().size();
                    progress.accept(popped);
                }
            }
        } finally {
            over.countDown();
        }
    }

    /**
     * Ends the popping from another thread, and returns when nothing is in hand any more. What is
     * being written is finished if its reader takes it soon; otherwise it goes back.
     */
    public void stop() {
        stopping = true;
        if (popping == null) {
            return;
        }
        popping.interrupt();
        try {
            boolean ended = over.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            Claim claim = inHand;
            // There is no claim yet if the store is still being asked for the first one.
            if (!ended && claim != null) {
                claim.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
