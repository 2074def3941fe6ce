// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** Is told of a broken promise, and of the messages or the time that its story is about. */
interface Finding {

    /** A promise was broken for the first of these messages; the others of its lane show it. */
    void tell(int promise, String words, String stage, int lane, long... positions);

    /** A promise was broken by the outcome of a push. */
    void tell(int promise, String words, Push push);

    /** A promise was broken in this span of time. */
    void tell(int promise, String words, long from, long to);
}
