// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.NoSuchRing;

/** A function of a ring's own is not there: the ring was dropped, or made anew. */
final class RingGone extends NoSuchRing {

    private static final long serialVersionUID = 1L;

    RingGone(String message) {
        super(message);
    }
}
