// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.DeadLetter;
import dev.slipring.Stage;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The dead letters of stages, one stage after the other, read a page at a time as they are asked
 * for.
 */
final class DeadLetters implements Iterator<DeadLetter> {

    private final int page;
    private final Iterator<Stage> stages;
    private Iterator<DeadLetter> letters = Collections.emptyIterator();

    /** The stage whose letters are being read; null between two stages. */
    private Stage stage;

    /** The id of the last letter of that stage that {@code next} returned; null for none. */
    private String last;

    /**
     * The dead letters of these stages.
     *
     * @param page how many are read at once, at most
     */
    DeadLetters(Collection<Stage> stages, int page) {
        this.stages = stages.iterator();
        this.page = page;
    }

    @Override
    public boolean hasNext() {
        while (!letters.hasNext() && (stage != null || stages.hasNext())) {
            if (stage == null) {
                stage = stages.next();
                last = null;
            }
            letters = stage.deadLettersBehind(last, page).iterator();
            if (!letters.hasNext()) {
                stage = null;
            }
        }
        return letters.hasNext();
    }

    @Override
    public DeadLetter next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no dead letter is left");
        }
        DeadLetter letter = letters.next();
        last = letter.id();
        return letter;
    }
}
