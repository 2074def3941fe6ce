// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.NoSuchRing;

/** The ring that was known under a name is not there: it was dropped, or made anew. */
final class RingGone extends NoSuchRing {

    private static final long serialVersionUID = 1L;

    RingGone(String message) {
        super(message);
    }
}
