// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import dev.slipring.Survey;
import dev.slipring.Survey.InHand;
import dev.slipring.Survey.LaneSurvey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.text.DurationText;
import dev.slipring.graph.PrintableText;
import dev.slipring.cli.text.SizeText;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How a ring stands, for people. */
public final class RingText {

    private static final int FEW_LANES = 8;

    private final Survey survey;
    private final RingSpec spec;

    /** How a ring stands. */
    public RingText(Survey survey) {
        this.survey = survey;
        this.spec = survey.shape().spec();
    }

    /** All of it. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("ring " + spec.name());
        lines.add(
                "  holds   "
                        + SizeText.showCount(survey.heldMessages())
                        + " of "
                        + SizeText.count(spec.messages(), "message")
                        + " ("
                        + percent(survey.heldMessages(), spec.messages())
                        + "), "
                        + SizeText.showBytes(survey.heldBytes())
                        + " of "
                        + SizeText.showBytes(spec.bytes())
                        + " ("
                        + percent(survey.heldBytes(), spec.bytes())
                        + ")");
        lines.add("  pushed  " + SizeText.count(survey.pushed(), "message") + " ever");
        lines.add(
                "  gate    "
                        + (survey.gate().isEmpty()
                                ? "nobody holds it"
                                : "held by " + String.join(", ", survey.gate())));
        if (survey.retries() > 0) {
            lines.add("  retries " + survey.retries() + " transactions run again in this process");
        }
        if (survey.storeBytes() >= 0) {
            lines.add("  store   " + SizeText.showBytes(survey.storeBytes()));
        }
        lines.add("  lanes   " + lanes());
        lines.add("");
        stageLines().forEach(line -> lines.add("  " + line));
        return lines;
    }

    /** The stages. */
    public List<String> stageLines() {
        Table table =
                new Table(
                        "stage",
                        "mode",
                        "follows",
                        "lease",
                        "tries",
                        "claimed",
                        "done",
                        "lag",
                        "behind",
                        "in hand",
                        "set aside",
                        "dead",
                        "redelivered",
                        "failed");
        for (StageSurvey stage : survey.stages()) {
            StageSpec what = spec.stages().get(stage.name());
            table.row(
                    stage.name(),
                    what.mode().name().toLowerCase(Locale.ROOT),
                    spec.stages().after(stage.name()).isEmpty()
                            ? "-"
                            : String.join("+", spec.stages().after(stage.name())),
                    DurationText.show(what.lease()),
                    what.tries(),
                    SizeText.showCount(stage.claimed()),
                    SizeText.showCount(stage.done()),
                    SizeText.showCount(stage.lag()),
                    stage.lag() == 0 ? "-" : DurationText.show(stage.lagTime()),
                    SizeText.showCount(stage.inHand().stream().mapToLong(InHand::messages).sum()),
                    SizeText.showCount(stage.aside()),
                    SizeText.showCount(stage.dead()),
                    SizeText.showCount(stage.redelivered()),
                    SizeText.showCount(stage.failed()));
        }
        List<String> lines = new ArrayList<>(table.lines());
        survey.stages().forEach(stage -> notes(stage, lines));
        return lines;
    }

    private static void notes(StageSurvey stage, List<String> lines) {
        if (stage.stalled() != null) {
            lines.add(stage.name() + ": " + PrintableText.of(stage.stalled()));
        }
        for (InHand claim : stage.inHand()) {
            lines.add(
                    stage.name()
                            + ": "
                            + PrintableText.of(claim.worker())
                            + " has "
                            + SizeText.count(claim.messages(), "message")
                            + " of lane "
                            + claim.lane()
                            + " in hand, "
                            + (claim.leaseLeft().isNegative()
                                    ? "its lease ran out "
                                            + DurationText.show(claim.leaseLeft().negated())
                                            + " ago"
                                    : "its lease has "
                                            + DurationText.show(claim.leaseLeft())
                                            + " left"));
        }
        if (stage.nextRetry() != null) {
            lines.add(
                    stage.name()
                            + ": the next retry is due "
                            + (stage.nextRetry().toMillis() <= 0
                                    ? "now"
                                    : "in " + DurationText.show(stage.nextRetry())));
        }
    }

    /** The lanes; if there are many, only those to which something was pushed. */
    private String lanes() {
        boolean all = survey.lanes().size() <= FEW_LANES;
        List<String> lanes = new ArrayList<>();
        for (LaneSurvey lane : survey.lanes()) {
            if (all || lane.head() > 0) {
                lanes.add(
                        lane.lane()
                                + ": gate "
                                + SizeText.showCount(lane.gate())
                                + ", head "
                                + SizeText.showCount(lane.head()));
            }
        }
        int others = survey.lanes().size() - lanes.size();
        if (others > 0) {
            lanes.add(others + " to which nothing was pushed");
        }
        return String.join("; ", lanes);
    }

    private static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }
}
