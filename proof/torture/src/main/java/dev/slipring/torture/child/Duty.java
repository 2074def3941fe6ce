// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.torture.Scale;

import java.util.Random;

/**
 * What all workers of a process have in common.
 *
 * @param journal where they write down what they see
 * @param seed what their random steps begin with
 * @param orders what they are told
 * @param scale how much they may claim
 */
record Duty(JournalFile journal, long seed, Orders orders, Scale scale) {

    /** The random steps of the workers of a stage. */
    Random random(String stage) {
        return new Random(seed + stage.hashCode());
    }
}
