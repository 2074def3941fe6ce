// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.NoSuchRing;
import dev.slipring.Slipring;
import dev.slipring.Survey;
import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.RingText;
import dev.slipring.engine.Passwords;
import dev.slipring.json.SurveyFields;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.List;

/** {@code slipring info}: how rings stand. */
@Command(
        name = "info",
        description = {
            "Show a ring, or all: capacity, lanes, stages, lag, dead letters.",
            "Also shows claims in hand, messages set aside, the size of the store, and which"
                    + " stages hold the gate."
        })
final class InfoCommand extends StoreCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "RING",
            description = "the ring; all rings if none is named")
    private String ring;

    @Option(names = "--json", description = "print one JSON object per ring")
    private boolean json;

    @Override
    int call(Slipring slipring) throws IOException {
        List<String> rings = ring == null ? slipring.rings() : List.of(ring);
        if (rings.isEmpty()) {
            streams().say("no rings in " + Passwords.maskedUrl(main().url()));
        }
        for (int i = 0; i < rings.size(); i++) {
            show(slipring, rings.get(i), i > 0);
        }
        return 0;
    }

    private void show(Slipring slipring, String name, boolean further) throws IOException {
        Survey survey;
        try {
            survey = slipring.ring(name).info();
        } catch (NoSuchRing gone) {
            if (ring == null) {
                // Somebody has dropped it since it was listed.
                return;
            }
            throw gone;
        }
        if (json) {
            Json.line(streams().out(), out -> SurveyFields.write(out, survey));
        } else {
            streams().print(text(survey, further));
        }
    }

    private static String text(Survey survey, boolean further) {
        return (further ? "\n" : "") + String.join("\n", new RingText(survey).lines());
    }
}
