// SPDX-License-Identifier: Apache-2.0
/**
 * The judge: reads the journals of all processes and holds them against the promises. The judge
 * reports only what is certain. Of something that a process asked for at one time, and got the
 * answer to at another, the journals do not say when in between it took effect: so a finding has to
 * hold for every time in between.
 */
package dev.slipring.torture.judge;
