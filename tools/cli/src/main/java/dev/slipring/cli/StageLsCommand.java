// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.RingText;
import dev.slipring.json.SurveyFields;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

import java.io.IOException;

/** {@code slipring stage RING ls}: the stages of a ring. */
@Command(name = "ls", description = "Show the stages, what they follow, and how they stand.")
final class StageLsCommand extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Option(names = "--json", description = "print one JSON object per stage")
    private boolean json;

    @Override
    int call(Slipring slipring) throws IOException {
        Survey survey = slipring.ring(stages.ring()).info();
        if (!json && !stages.isJson()) {
            streams().print(String.join("\n", new RingText(survey).stageLines()));
            return 0;
        }
        for (StageSurvey stage : survey.stages()) {
            Json.line(
                    streams().out(),
                    out -> {
                        out.writeStringField("ring", stages.ring());
                        SurveyFields.write(out, survey, stage);
                    });
        }
        return 0;
    }
}
