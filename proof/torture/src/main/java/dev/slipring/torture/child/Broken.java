// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Listener;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.graph.NoSuchStage;

import java.sql.SQLException;

/** Writes down what makes Slipring's own workers break off, unless it is a failure of the store. */
final class Broken implements Listener {

    private final JournalFile journal;

    Broken(JournalFile journal) {
        this.journal = journal;
    }

    @Override
    public void storeFailed(String ring, SlipringException error) {
        Throwable cause = error.getCause();
        boolean known =
                cause instanceof SlipringException
                        || cause instanceof NoSuchStage
                        || cause instanceof SQLException;
        if (error instanceof StoreFailed) {
            journal.trouble(error);
        }
        if (cause != null && !known) {
            journal.write("odd", "workers", error.getMessage().replaceAll("\\s+", " "));
        }
    }
}
