// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.StoreFailed;

/** The database's default isolation is not READ COMMITTED, so that it has to be asked for. */
final class WrongIsolation extends StoreFailed {

    private static final long serialVersionUID = 1L;

    WrongIsolation(String message) {
        super(message);
    }
}
