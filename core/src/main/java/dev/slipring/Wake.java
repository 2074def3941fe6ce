// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.waiting.Ear;
import dev.slipring.waiting.Signal;

/**
 * How somebody who waits for a ring is woken.
 *
 * @param signal raised by this process
 * @param ear raises it for other processes
 */
record Wake(Signal signal, Ear ear) {}
