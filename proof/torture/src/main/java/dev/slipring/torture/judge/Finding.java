// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** Hears of a broken promise. */
interface Finding {

    /** A promise was broken for a message; a position below 0 stands for none. */
    void tell(int promise, String words, String stage, int lane, long position);
}
