// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.util.Random;

/** How many messages at once: half of the time anything, and half of it rather few. */
final class Sizes {

    private Sizes() {}

    /** From 1 to the most. */
    static int any(Random random, int most) {
        double part = random.nextDouble();
        return random.nextBoolean()
                ? 1 + (int) (part * most)
                : (int) Math.exp(part * Math.log(most));
    }
}
