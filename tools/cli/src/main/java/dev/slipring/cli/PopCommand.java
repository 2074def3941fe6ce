// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Fenced;
import dev.slipring.NoSuchRing;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.cli.show.Progress;
import dev.slipring.cli.stream.Form;
import dev.slipring.cli.stream.JsonForm;
import dev.slipring.cli.stream.Popper;
import dev.slipring.cli.text.DurationText;
import dev.slipring.graph.PrintableText;
import dev.slipring.cli.text.SizeText;
import dev.slipring.engine.Passwords;
import dev.slipring.graph.NoSuchStage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;

/** {@code slipring pop}: a line for each message. */
@Command(
        name = "pop",
        description = {
            "Write one message per line to stdout.",
            "A message is done when it was written and flushed; if that fails, what is in"
                    + " hand is given back. What a pipe has taken counts as flushed, even if nobody"
                    + " reads it: use --max to take only some. Does not wait for what other workers"
                    + " have in hand. A body with line feeds is several lines: use --json if that"
                    + " matters."
        })
final class PopCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Option(
            names = "--stage",
            paramLabel = "S",
            description = "the stage; needed if the ring has several")
    private String stage;

    @Option(names = "--max", paramLabel = "N", description = "end after this many messages")
    private String max;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description =
                    "end when nothing can be claimed for this long, or 'forever' (default: 0); a"
                            + " store that is out of reach meanwhile is tried again")
    private String wait;

    @Option(
            names = "--json",
            description =
                    "one JSON object per line: id, key, headers, attempt and body; a body that is"
                            + " no text is base64, and \"encoding\" says so")
    private boolean json;

    private Duration patience;
    private long most;

    @Override
    void check() {
        patience = DurationText.parseWait(wait);
        most = max == null ? Long.MAX_VALUE : SizeText.parseCount(max);
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Ring ring = slipring.ring(name);
        Stage from = stage == null ? ring.stage() : ring.stage(stage);
        Form form = json ? new JsonForm() : Form.RAW;
        try (Popper popper = new Popper(from, streams().out(), form, this::tell);
                Progress progress = progress(ring, from);
                Ending ending = new Ending(popper::stop)) {
            pop(popper, progress);
            popper.stopped().ifPresent(why -> streams().say("slipring: " + why));
        }
        return 0;
    }

    private void pop(Popper popper, Progress progress) {
        try {
            popper.pop(most, patience, popped -> progress.update(popped, popped));
        } catch (IOException e) {
            throw new SlipringException(
                    "cannot write: " + e.getMessage() + soFar(popper) + "went back", e);
        } catch (Fenced e) {
            throw new Fenced(
                    "what was written could not be said to be done: "
                            + e.getMessage()
                            + soFar(popper)
                            + "comes again unless it was purged",
                    e);
        } catch (StoreFailed e) {
            throw new StoreFailed(e.getMessage() + soFar(popper) + "comes again", e);
        } catch (NoSuchRing e) {
            throw new NoSuchRing(e.getMessage() + soFar(popper) + "is gone with it", e);
        } catch (NoSuchStage e) {
            throw new NoSuchStage(e.getMessage() + soFar(popper) + "is gone with it");
        } catch (OutcomeUnknown e) {
            throw new OutcomeUnknown(e.getMessage() + soFar(popper) + "may come again", e);
        }
    }

    private void tell(String trouble) {
        streams().say("slipring: " + PrintableText.of(Passwords.masked(trouble)));
    }

    private static String soFar(Popper popper) {
        return "; " + SizeText.count(popper.popped(), "message") + " popped, what was in hand ";
    }

    private Progress progress(Ring ring, Stage from) {
        boolean visible = streams().isErrTerminal() && !streams().isOutTerminal();
        long lag = visible ? ring.info().stage(from.name()).lag() : 0;
        return new Progress(visible ? streams().err() : null, "pop " + name, Math.min(lag, most));
    }
}
