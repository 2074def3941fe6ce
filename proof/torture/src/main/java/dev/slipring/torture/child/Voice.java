// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Fenced;

/**
 * Says the words of a worker about its claim, and writes down what was said and answered.
 *
 * @param stage the worker's stage
 */
record Voice(String stage, JournalFile journal) {

    /**
     * Says a word.
     *
     * @param position the message that it is about; -1 for all that are left
     */
    void say(String kind, long position, Runnable word) {
        journal.write("word", stage, position, kind);
        String outcome = "unknown";
        try {
            word.run();
            outcome = "ok";
        } catch (Fenced e) {
            outcome = "fenced";
            throw e;
        } finally {
            journal.write("said", stage, outcome);
        }
    }
}
