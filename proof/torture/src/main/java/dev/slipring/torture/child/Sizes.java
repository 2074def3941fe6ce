// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.util.Random;

/** How many messages to take at once: half of the time any number, half of it rather few. */
final class Sizes {

    private Sizes() {}

    /** A number from 1 to {@code most}. */
    static int any(Random random, int most) {
        double part = random.nextDouble();
        return random.nextBoolean()
                ? 1 + (int) (part * most)
                : (int) Math.exp(part * Math.log(most));
    }
}
