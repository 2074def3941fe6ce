// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/**
 * What a stage itself counted until the end.
 *
 * @param redelivered how often messages were handed out for a second or later attempt
 * @param failed how many failures there were
 */
record Tally(long redelivered, long failed) {}
