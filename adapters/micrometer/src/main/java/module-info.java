// SPDX-License-Identifier: Apache-2.0
/** Meters of rings and stages, by Micrometer. */
@SuppressWarnings("requires-transitive-automatic")
module dev.slipring.micrometer {
    requires transitive dev.slipring;
    requires transitive micrometer.core;

    exports dev.slipring.micrometer;
}
