// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Listener;
import dev.slipring.SlipringException;
import dev.slipring.graph.NoSuchStage;

/** Writes down what Slipring's own workers broke off with that is no trouble of the store's. */
final class Broken implements Listener {

    private final JournalFile journal;

    Broken(JournalFile journal) {
        this.journal = journal;
    }

    @Override
    public void storeFailed(String ring, SlipringException error) {
        Throwable cause = error.getCause();
        boolean odd =
                cause instanceof RuntimeException
                        && !(cause instanceof SlipringException)
                        && !(cause instanceof NoSuchStage);
        if (odd) {
            journal.write("odd", "workers", error.getMessage().replaceAll("\\s+", " "));
        }
    }
}
