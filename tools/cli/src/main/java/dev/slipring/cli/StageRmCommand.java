// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.text.SizeText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

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
final class StageRmCommand extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Parameters(index = "0", paramLabel = "STAGE", description = "the stage's name")
    private String stage;

    @Mixin private Consent consent;

    @Override
    int call(Slipring slipring) throws IOException {
        Ring ring = slipring.ring(stages.ring());
        long kept = kept(ring.info().stage(stage));
        String what =
                "remove stage '"
                        + stage
                        + "' of ring '"
                        + ring.name()
                        + "' with "
                        + SizeText.count(kept, "message")
                        + " set aside or dead";
        if (!consent.given(streams(), what, kept > 0)) {
            return Failures.FAILED;
        }
        long gone = ring.stage(stage).remove();
        streams()
                .say(
                        "ring "
                                + ring.name()
                                + ": stage "
                                + stage
                                + " removed, with "
                                + SizeText.count(gone, "message")
                                + " set aside or dead");
        return 0;
    }

    private static long kept(StageSurvey survey) {
        return survey.aside() + survey.dead();
    }
}
