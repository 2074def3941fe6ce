// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.Survey;
import dev.slipring.Survey.InHand;
import dev.slipring.Survey.LaneSurvey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;

/**
 * A survey as the fields of a JSON object: those of {@code slipring info --json}. Any thread, each
 * with a generator of its own.
 */
public final class SurveyFields {

    private SurveyFields() {}

    /** Writes all of it into an object that has begun. */
    public static void write(JsonGenerator out, Survey survey) throws IOException {
        RingSpec spec = survey.shape().spec();
        out.writeStringField("ring", spec.name());
        out.writeNumberField("lanes", spec.lanes());
        out.writeNumberField("capacity_messages", spec.messages());
        out.writeNumberField("capacity_bytes", spec.bytes());
        out.writeNumberField("held_messages", survey.heldMessages());
        out.writeNumberField("held_bytes", survey.heldBytes());
        out.writeNumberField("pushed", survey.pushed());
        texts(out, "gate", survey.gate());
        out.writeNumberField("store_bytes", survey.storeBytes());
        out.writeNumberField("retries", survey.retries());
        out.writeArrayFieldStart("lane_positions");
        for (LaneSurvey lane : survey.lanes()) {
            out.writeStartObject();
            out.writeNumberField("lane", lane.lane());
            out.writeNumberField("gate", lane.gate());
            out.writeNumberField("head", lane.head());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("stages");
        for (StageSurvey stage : survey.stages()) {
            out.writeStartObject();
            write(out, survey, stage);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** Writes one of its stages into an object that has begun. */
    public static void write(JsonGenerator out, Survey survey, StageSurvey stage)
            throws IOException {
        declared(out, survey, survey.shape().spec().stages().get(stage.name()));
        progress(out, stage);
    }

    private static void declared(JsonGenerator out, Survey survey, StageSpec stage)
            throws IOException {
        out.writeStringField("stage", stage.name());
        out.writeStringField("mode", stage.mode().name().toLowerCase(Locale.ROOT));
        texts(out, "after", survey.shape().spec().stages().after(stage.name()));
        out.writeNumberField("lease_ms", stage.lease().toMillis());
        out.writeNumberField("tries", stage.tries());
        out.writeNumberField("backoff_first_ms", stage.backoff().first().toMillis());
        out.writeNumberField("backoff_most_ms", stage.backoff().most().toMillis());
        out.writeNumberField("keep", stage.keep());
        out.writeBooleanField("paused", survey.shape().paused().contains(stage.name()));
    }

    private static void progress(JsonGenerator out, StageSurvey stage) throws IOException {
        out.writeStringField("stalled", stage.stalled());
        out.writeNumberField("claimed", stage.claimed());
        out.writeNumberField("done", stage.done());
        out.writeNumberField("lag_messages", stage.lag());
        out.writeNumberField("lag_seconds", stage.lagTime().toMillis() / 1000.0);
        out.writeNumberField("in_hand", stage.inHand().stream().mapToLong(InHand::messages).sum());
        out.writeArrayFieldStart("claims");
        for (InHand claim : stage.inHand()) {
            out.writeStartObject();
            out.writeStringField("worker", claim.worker());
            out.writeNumberField("lane", claim.lane());
            out.writeNumberField("messages", claim.messages());
            millis(out, "lease_left_ms", claim.leaseLeft());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberField("set_aside", stage.aside());
        millis(out, "next_retry_ms", stage.nextRetry());
        out.writeNumberField("dead", stage.dead());
        out.writeNumberField("redelivered", stage.redelivered());
        out.writeNumberField("failed", stage.failed());
    }

    private static void texts(JsonGenerator out, String field, Collection<String> values)
            throws IOException {
        out.writeArrayFieldStart(field);
        for (String value : values) {
            out.writeString(value);
        }
        out.writeEndArray();
    }

    private static void millis(JsonGenerator out, String field, Duration time) throws IOException {
        if (time == null) {
            out.writeNullField(field);
        } else {
            out.writeNumberField(field, time.toMillis());
        }
    }
}
