// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.Delivery;
import dev.slipring.cli.show.Json;
import dev.slipring.json.MessageFields;

import java.io.IOException;
import java.io.OutputStream;

/** A message as a JSON object of one line, see {@link MessageFields}. */
public final class JsonForm implements Form {

    @Override
    public void write(Delivery delivery, OutputStream out) throws IOException {
        try (JsonGenerator json = Json.FACTORY.createGenerator(out)) {
            Json.object(json, object -> MessageFields.write(object, delivery));
            json.writeRaw('\n');
        }
    }
}
