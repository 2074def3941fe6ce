// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.Table;
import dev.slipring.cli.text.SizeText;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What happened in a demonstration.
 *
 * @param tally what every stage saw
 * @param survey how the ring stands at the end
 * @param nanos how long it took from the first push to the last done
 */
public record Result(Tally tally, Survey survey, long nanos) {

    /** How many messages a stage did not see. */
    public long lost() {
        return tally.lost();
    }

    long redelivered() {
        return survey.stages().stream().mapToLong(StageSurvey::redelivered).sum();
    }

    double seconds() {
        return nanos / 1e9;
    }

    /** The result for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Table stages =
                new Table(
                        "stage",
                        "different quakes seen",
                        "done",
                        "handed out again",
                        "failed",
                        "dead");
        for (StageSurvey stage : survey.stages()) {
            stages.row(
                    stage.name(),
                    SizeText.showCount(tally.seen().get(stage.name())),
                    SizeText.showCount(stage.done()),
                    SizeText.showCount(stage.redelivered()),
                    SizeText.showCount(stage.failed()),
                    SizeText.showCount(stage.dead()));
        }
        lines.addAll(stages.lines());
        lines.add("");
        Table strongest = new Table("the strongest", "grade", "where", "which is");
        for (Quake quake : tally.strongest()) {
            strongest.row(
                    String.format(Locale.ROOT, "%.1f", quake.magnitude()),
                    name(tally.gradeOf(quake)),
                    quake.place(),
                    tally.placeOf(quake));
        }
        lines.addAll(strongest.lines());
        lines.add("");
        lines.add("grades:       " + grades());
        lines.add(
                "messages:     "
                        + SizeText.showCount(tally.pushed())
                        + ", each through "
                        + survey.stages().size()
                        + " stages");
        lines.add(
                String.format(
                        Locale.ROOT,
                        "rate:         %,.0f messages/s (%.1f s, most of it waiting for the "
                                + "dead worker's lease)",
                        tally.pushed() / seconds(),
                        seconds()));
        lines.add("redeliveries: " + SizeText.showCount(redelivered()));
        lines.add("lost: " + lost());
        return lines;
    }

    private String grades() {
        List<String> grades = new ArrayList<>();
        tally.grades()
                .forEach(
                        (grade, count) ->
                                grades.add(SizeText.showCount(count) + " " + name(grade)));
        return String.join(", ", grades);
    }

    private static String name(Grade grade) {
        return grade.name().toLowerCase(Locale.ROOT);
    }

    /** The result for programs, as one line of JSON. */
    public String json() throws IOException {
        return Json.line(
                out -> {
                    out.writeNumberField("messages", tally.pushed());
                    out.writeNumberField("seconds", Math.round(seconds() * 1000) / 1000.0);
                    out.writeNumberField(
                            "messages_per_second", Math.round(tally.pushed() / seconds()));
                    out.writeNumberField("redelivered", redelivered());
                    out.writeNumberField("lost", lost());
                    out.writeObjectFieldStart("seen");
                    for (Map.Entry<String, Integer> seen : tally.seen().entrySet()) {
                        out.writeNumberField(seen.getKey(), seen.getValue());
                    }
                    out.writeEndObject();
                    out.writeArrayFieldStart("strongest");
                    for (Quake quake : tally.strongest()) {
                        Json.object(
                                out,
                                object -> {
                                    object.writeStringField("id", quake.id());
                                    object.writeNumberField("magnitude", quake.magnitude());
                                    object.writeStringField("grade", name(tally.gradeOf(quake)));
                                    object.writeStringField("place", quake.place());
                                    object.writeStringField("nearest", tally.placeOf(quake));
                                });
                    }
                    out.writeEndArray();
                });
    }
}
