// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.DeadLetter;

import java.util.List;

/**
 * What became of a {@link DeadRequest}.
 *
 * @param letters those listed; empty for the other actions
 * @param touched how many were listed, retried or dropped
 */
public record DeadResult(List<DeadLetter> letters, long touched) {

    public DeadResult {
        letters = List.copyOf(letters);
    }
}
