// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

/**
 * Padding that keeps an object away from the one allocated before it, so that threads that each
 * write an object of their own do not write to the same cache line. It is 128 bytes, as processors
 * fetch lines in pairs.
 */
abstract class Apart {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af;
}
