// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.ArrayList;
import java.util.List;

/** A script of SQL Server, cut into batches at the lines GO. */
final class BatchText {

    private final List<String> batches = new ArrayList<>();
    private final StringBuilder batch = new StringBuilder();

    /** Adds a line. */
    void add(String line) {
        if (line.strip().equalsIgnoreCase("GO")) {
            end();
        } else {
            batch.append(line).append('\n');
        }
    }

    /** The batches, without those that say nothing. */
    List<String> batches() {
        end();
        return List.copyOf(batches);
    }

    private void end() {
        if (!batch.toString().replaceAll("(?m)--.*$", "").isBlank()) {
            batches.add(batch.toString().strip());
        }
        batch.setLength(0);
    }
}
