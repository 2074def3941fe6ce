// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.cli.show.Progress;
import dev.slipring.cli.stream.BadLine;
import dev.slipring.cli.stream.KeyField;
import dev.slipring.cli.stream.Lines;
import dev.slipring.cli.stream.Pusher;
import dev.slipring.cli.text.DurationText;
import dev.slipring.cli.text.SizeText;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;

/** {@code slipring push}: a message for each line. */
@Command(
        name = "push",
        description = {
            "Push one message per line of stdin.",
            "The line end is not part of the message. If the ring does not exist, it is"
                    + " created with the defaults. What was pushed is durable when the command"
                    + " ends. When stdin pauses, what has come so far is pushed at once."
        })
final class PushCommand extends StoreCommand {

    private static final int MAX_LINE = 64 << 20;

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Option(
            names = "--key-field",
            paramLabel = "F",
            description =
                    "each line is a JSON object, and its field F is the message's key; the push"
                        + " stops at the first line without such a field, and the lines before it"
                        + " are in")
    private String keyField;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "how long to wait while the ring is full or another transaction holds the lane;"
                            + " 0 for not at all, or 'forever' (default: 30)")
    private String wait;

    private Duration patience;

    @Override
    void check() {
        RingSpec.named(name);
        patience = DurationText.parseWait(wait);
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Pusher pusher = new Pusher(slipring.createIfMissing(RingSpec.named(name)), patience);
        try (Ending ending = new Ending(() -> streams().say(ended(pusher)))) {
            pushLines(pusher);
        } catch (RingFull full) {
            throw new RingFull(
                    full.getMessage() + "; " + in(pusher), full.freeMessages(), full.freeBytes());
        } catch (StoreFailed failed) {
            throw new StoreFailed(failed.getMessage() + "; " + in(pusher) + " before", failed);
        } catch (OutcomeUnknown unknown) {
            throw new OutcomeUnknown(
                    unknown.getMessage() + "; " + in(pusher) + " surely before", unknown);
        } catch (NoSuchRing gone) {
            throw new NoSuchRing(gone.getMessage() + "; " + in(pusher) + " before");
        } catch (BadLine bad) {
            throw new SlipringException(bad.getMessage() + "; " + in(pusher) + " before it", bad);
        }
        streams().say(SizeText.count(pusher.pushed(), "message") + " pushed to " + name);
        return 0;
    }

    /**
     * What the user is told when the process is told to end. Pushes that are still on their way may
     * be stored as well.
     */
    private static String ended(Pusher pusher) {
        return "slipring: told to end; " + in(pusher) + " surely";
    }

    private static String in(Pusher pusher) {
        long pushed = pusher.pushed();
        return SizeText.count(pushed, "message") + (pushed == 1 ? " was pushed" : " were pushed");
    }

    private void pushLines(Pusher pusher) throws IOException {
        Lines lines = new Lines(streams().in(), MAX_LINE);
        KeyField key = keyField == null ? null : new KeyField(keyField);
        try (Progress progress =
                new Progress(
                        streams().isErrTerminal() ? streams().err() : null,
                        "push " + name,
                        streams().inputSize())) {
            while (pushNext(lines, key, pusher)) {
                progress.update(pusher.pushed(), lines.bytes());
            }
        } catch (BadLine bad) {
            pusher.push();
            throw bad;
        } catch (IOException unreadable) {
            pusher.push();
            throw new SlipringException(
                    "stdin broke behind line "
                            + lines.number()
                            + " ("
                            + unreadable.getMessage()
                            + "); "
                            + in(pusher)
                            + " before",
                    unreadable);
        } catch (OutOfMemoryError e) {
            pusher.push();
            throw new SlipringException(
                    "out of memory near line "
                            + lines.number()
                            + "; "
                            + in(pusher)
                            + " before it; give more memory with SLIPRING_JAVA_OPTS=-Xmx1g",
                    e);
        }
        pusher.push();
    }

    /**
     * Pushes the next line; false at the end. A method of its own, so that the memory of a line can
     * be freed before the next one is read.
     */
    private static boolean pushNext(Lines lines, KeyField key, Pusher pusher) throws IOException {
        byte[] line = next(lines, pusher);
        if (line != null) {
            pusher.add(message(line, key, lines));
        }
        return line != null;
    }

    private static Message message(byte[] line, KeyField key, Lines lines) {
        Message message = Message.of(line);
        if (key != null) {
            message = message.key(key.of(line, lines.number()));
            if (SlotCodec.size(message) > MAX_LINE) {
                // The line by itself is short enough, but with its key the message is too long.
                throw lines.tooLong(lines.number());
            }
        }
        return message;
    }

    /**
     * The next line. If it has not come yet, what has gathered is pushed first, and does not wait
     * for it.
     */
    private static byte[] next(Lines lines, Pusher pusher) throws IOException {
        if (!lines.isMoreThere()) {
            pusher.push();
        }
        return lines.next();
    }

    @Override
    boolean makesStore() {
        return true;
    }
}
