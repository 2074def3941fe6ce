// SPDX-License-Identifier: Apache-2.0
/**
 * Micrometer's meters: {@link dev.slipring.micrometer.MeterListener} counts what this process does,
 * {@link dev.slipring.micrometer.RingGauges} show how a ring stands, whoever works on it.
 */
package dev.slipring.micrometer;
