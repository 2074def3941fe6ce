// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.text.SizeText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;

/** {@code slipring stage RING rm}: a stage leaves a living ring. */
@Command(
        name = "rm",
        description = {
            "Remove a stage.",
            "The stages that followed it then follow those that it followed, and it no"
                    + " longer holds the gate. On a terminal the command asks first; elsewhere it"
                    + " needs --yes if messages that are set aside or dead go with the stage."
        })
final class StageRmCommand extends OfStage {

    @Mixin private Consent consent;

    @Override
    int call(Slipring slipring) throws IOException {
        Ring ring = ring(slipring);
        long kept = kept(ring.info().stage(name()));
        String what =
                "remove stage '"
                        + name()
                        + "' of ring '"
                        + ring.name()
                        + "' with "
                        + SizeText.count(kept, "message")
                        + " set aside or dead";
        if (!consent.given(streams(), what, kept > 0)) {
            return Failures.FAILED;
        }
        long gone = ring.stage(name()).remove();
        return say("removed, with " + SizeText.count(gone, "message") + " set aside or dead");
    }

    private static long kept(StageSurvey survey) {
        return survey.aside() + survey.dead();
    }
}
