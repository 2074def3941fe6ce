// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

/**
 * What the systems that are compared have in common in a trial.
 *
 * @param threads how many threads push, or work
 * @param batch how many messages are pushed at a time
 * @param what what else they have in common; empty if nothing
 */
public record Setting(int threads, int batch, String what) {}
