// SPDX-License-Identifier: Apache-2.0
/**
 * The judge: reads the journals of all processes and holds them against the promises. It says only
 * what is certain whatever happened inside the intervals that the journals leave open: a thing that
 * a process asked for at one time and heard of at another took effect at some time between.
 */
package dev.slipring.torture.judge;
