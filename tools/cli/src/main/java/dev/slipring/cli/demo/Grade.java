// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

/** The usual classes of earthquakes by their magnitude. */
enum Grade {
    UNKNOWN,
    MICRO,
    MINOR,
    LIGHT,
    MODERATE,
    STRONG,
    MAJOR,
    GREAT;

    static Grade of(Quake quake) {
        double magnitude = quake.magnitude();
        if (Double.isNaN(magnitude)) {
            return UNKNOWN;
        }
        if (magnitude < 2) {
            return MICRO;
        }
        return magnitude < 4 ? MINOR : magnitude >= 8 ? GREAT : values()[(int) magnitude - 1];
    }
}
