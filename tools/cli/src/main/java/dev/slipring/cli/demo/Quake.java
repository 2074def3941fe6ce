// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.slipring.Delivery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An earthquake, as the U.S. Geological Survey reports it.
 *
 * @param id its name there
 * @param magnitude how strong it was; not a number if nobody knows
 * @param place where it was, in words
 * @param longitude in degrees
 * @param latitude in degrees
 * @param depth in kilometres
 */
record Quake(
        String id,
        double magnitude,
        String place,
        double longitude,
        double latitude,
        double depth) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The quakes of a week, one GeoJSON feature each, in the order of their times. */
    static List<String> week() throws IOException {
        try (InputStream in = Quake.class.getResourceAsStream("earthquakes.ndjson")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            in.transferTo(all);
            return all.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The quake of a message. */
    static Quake of(Delivery delivery) throws IOException {
        return parse(delivery.text());
    }

    /** The quake of a GeoJSON feature. */
    static Quake parse(String feature) throws IOException {
        JsonNode json = JSON.readTree(feature);
        JsonNode at = json.path("geometry").path("coordinates");
        return new Quake(
                json.path("id").asText(),
                json.path("properties").path("mag").asDouble(Double.NaN),
                json.path("properties").path("place").asText(),
                at.path(0).asDouble(),
                at.path(1).asDouble(),
                at.path(2).asDouble());
    }
}
