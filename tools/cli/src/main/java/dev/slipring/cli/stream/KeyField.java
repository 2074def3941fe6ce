// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.slipring.cli.show.Json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The field of a JSON object that is a message's key. */
public final class KeyField {

    /** The part of the parser's messages that is meant for programmers. */
    private static final Pattern OF_PARSER =
            Pattern.compile("(: enable `| \\(start marker at ).*", Pattern.DOTALL);

    private final String name;

    /** A field of that name. */
    public KeyField(String name) {
        this.name = name;
    }

    /**
     * The key of a line.
     *
     * @param number the number of the line, for the error
     * @throws BadLine if the line is not one JSON object, or the field is missing or has no text,
     *     number or boolean
     */
    public String of(byte[] line, long number) {
        String key = null;
        try (JsonParser parser = Json.FACTORY.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadLine(
                        number,
                        "is no JSON object, but --key-field asks for its field '" + name + "'");
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!field.equals(name)) {
                    parser.skipChildren();
                } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                    key = parser.getText();
                } else {
                    throw new BadLine(
                            number,
                            "has a field '" + name + "' that is no text, number or boolean");
                }
            }
            if (parser.nextToken() != null) {
                throw new BadLine(number, "has more than one JSON object");
            }
        } catch (JsonProcessingException e) {
            throw new BadLine(number, "is not JSON: " + words(e));
        } catch (IOException e) {
            // The bytes are no text, for example. Reading cannot fail otherwise: all bytes are
            // here.
            throw new BadLine(number, "is not JSON: " + e.getMessage());
        }
        if (key == null) {
            throw new BadLine(number, "has no field '" + name + "'");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
            throw new BadLine(number, "has an unpaired surrogate in its field '" + name + "'");
        }
        return key;
    }

    /** What is wrong, and at which byte of the line. */
    private static String words(JsonProcessingException e) {
        String words = OF_PARSER.matcher(e.getOriginalMessage()).replaceFirst("");
        JsonLocation at = e.getLocation();
        return at == null ? words : words + " at byte " + at.getColumnNr();
    }
}
