// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.show;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.Survey;
import dev.slipring.Survey.InHand;
import dev.slipring.Survey.LaneSurvey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.io.IOException;
import java.util.Locale;

/** How a ring stands, for programs. */
public final class RingJson {

    private final Survey survey;
    private final RingSpec spec;

    /** How a ring stands. */
    public RingJson(Survey survey) {
        this.survey = survey;
        this.spec = survey.shape().spec();
    }

    /** All of it, on one line. */
    public String line() throws IOException {
        return Json.line(
                out -> {
                    out.writeStringField("ring", spec.name());
                    out.writeNumberField("lanes", spec.lanes());
                    out.writeNumberField("capacity_messages", spec.messages());
                    out.writeNumberField("capacity_bytes", spec.bytes());
                    out.writeNumberField("held_messages", survey.heldMessages());
                    out.writeNumberField("held_bytes", survey.heldBytes());
                    out.writeNumberField("pushed", survey.pushed());
                    Json.strings(out, "gate", survey.gate());
                    out.writeNumberField("store_bytes", survey.storeBytes());
                    out.writeNumberField("retries", survey.retries());
                    out.writeArrayFieldStart("lane_positions");
                    for (LaneSurvey lane : survey.lanes()) {
                        Json.object(
                                out,
                                object -> {
                                    object.writeNumberField("lane", lane.lane());
                                    object.writeNumberField("gate", lane.gate());
                                    object.writeNumberField("head", lane.head());
                                });
                    }
                    out.writeEndArray();
                    out.writeArrayFieldStart("stages");
                    for (StageSurvey stage : survey.stages()) {
                        Json.object(out, object -> stage(object, stage));
                    }
                    out.writeEndArray();
                });
    }

    /** A stage, on one line. */
    public String line(StageSurvey stage) throws IOException {
        return Json.line(
                out -> {
                    out.writeStringField("ring", spec.name());
                    stage(out, stage);
                });
    }

    private void stage(JsonGenerator out, StageSurvey stage) throws IOException {
        StageSpec what = spec.stages().get(stage.name());
        out.writeStringField("stage", stage.name());
        out.writeStringField("mode", what.mode().name().toLowerCase(Locale.ROOT));
        Json.strings(out, "after", spec.stages().after(stage.name()));
        out.writeNumberField("lease_ms", what.lease().toMillis());
        out.writeNumberField("tries", what.tries());
        out.writeNumberField("backoff_first_ms", what.backoff().first().toMillis());
        out.writeNumberField("backoff_most_ms", what.backoff().most().toMillis());
        out.writeNumberField("keep", what.keep());
        out.writeBooleanField("paused", survey.shape().paused().contains(stage.name()));
        out.writeStringField("stalled", stage.stalled());
        out.writeNumberField("claimed", stage.claimed());
        out.writeNumberField("done", stage.done());
        out.writeNumberField("lag_messages", stage.lag());
        out.writeNumberField("lag_seconds", stage.lagTime().toMillis() / 1000.0);
        out.writeNumberField("in_hand", stage.inHand().stream().mapToLong(InHand::messages).sum());
        out.writeArrayFieldStart("claims");
        for (InHand claim : stage.inHand()) {
            Json.object(
                    out,
                    object -> {
                        object.writeStringField("worker", claim.worker());
                        object.writeNumberField("lane", claim.lane());
                        object.writeNumberField("messages", claim.messages());
                        Json.millis(object, "lease_left_ms", claim.leaseLeft());
                    });
        }
        out.writeEndArray();
        out.writeNumberField("set_aside", stage.aside());
        Json.millis(out, "next_retry_ms", stage.nextRetry());
        out.writeNumberField("dead", stage.dead());
        out.writeNumberField("redelivered", stage.redelivered());
        out.writeNumberField("failed", stage.failed());
    }
}
