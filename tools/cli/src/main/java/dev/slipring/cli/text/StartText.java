// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import dev.slipring.graph.Start;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/**
 * Where a stage begins, as people write it: {@code oldest}, {@code newest}, a time, or how long
 * ago.
 */
public final class StartText {

    /** How a start is written. */
    public static final String FORM =
            "oldest, newest, a time (2026-01-31T12:00:00Z, or local without the Z), or how long ago"
                    + " (10m)";

    private StartText() {}

    /** Reads a start; null means the oldest. */
    public static Start parse(String text) {
        if (text == null || text.equals("oldest")) {
            return Start.OLDEST;
        }
        if (text.equals("newest")) {
            return Start.NEWEST;
        }
        if (text.matches("[\\d.]+[a-z]+")) {
            return Start.at(Instant.now().minus(DurationText.parse(text)));
        }
        try {
            return Start.at(time(text));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is no start; write " + FORM, e);
        }
    }

    private static Instant time(String text) {
        if (!text.contains("T")) {
            return LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant();
        }
        boolean hasZone = text.endsWith("Z") || text.matches(".*[+-]\\d\\d:?\\d\\d");
        return hasZone
                ? OffsetDateTime.parse(text).toInstant()
                : LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
    }
}
