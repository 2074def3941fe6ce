// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** Hears of a broken promise, and of what its story is about. */
interface Finding {

    /** A promise was broken for a message, perhaps against others of its lane. */
    void tell(int promise, String words, String stage, int lane, long... positions);

    /** A promise was broken by what became of a push. */
    void tell(int promise, String words, Push push);

    /** A promise was broken in a time. */
    void tell(int promise, String words, long from, long to);
}
