// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Delivery;
import dev.slipring.engine.SlotCodec;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The positions of a claim: ranges, each a lower bound and one behind the last. */
record Held(Long[] bounds) {

    /** Adds those messages of a slot that belong to the claim. */
    void read(ResultSet row, int lane, List<Delivery> deliveries) throws SQLException {
        int attempt = row.getInt(11);
        long first = row.getLong(13);
        Instant pushedAt = row.getTimestamp(14).toInstant();
        byte[] body = row.getBytes(15);
        long end = first + SlotCodec.count(body);
        for (int i = 0; i < bounds.length; i += 2) {
            long to = Math.min(bounds[i + 1], end);
            for (long at = Math.max(bounds[i], first); at < to; at++) {
                deliveries.add(
                        new Delivery(
                                SlotCodec.decode(body, (int) (at - first)),
                                lane,
                                at,
                                attempt,
                                pushedAt));
            }
        }
    }
}
