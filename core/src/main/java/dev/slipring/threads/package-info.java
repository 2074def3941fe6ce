// SPDX-License-Identifier: Apache-2.0
/**
 * What Java 17, for which this is compiled, lacks about threads: whether one is virtual, or ends
 * the process, and waits that an interrupt does not end.
 */
package dev.slipring.threads;
