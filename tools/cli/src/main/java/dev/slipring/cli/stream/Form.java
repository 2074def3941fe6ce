// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.Delivery;

import java.io.IOException;
import java.io.OutputStream;

/** How a message is written on one line. */
@FunctionalInterface
public interface Form {

    /** The body as it is. */
    Form RAW =
            (delivery, out) -> {
                out.write(delivery.body());
                out.write('\n');
            };

    /** Writes a message and its line end. */
    void write(Delivery delivery, OutputStream out) throws IOException;
}
