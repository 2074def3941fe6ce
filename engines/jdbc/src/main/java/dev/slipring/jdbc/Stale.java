// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** What a unit of work went by has changed before it had its locks; the unit begins anew. */
final class Stale extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Stale(String what) {
        super(what, null, false, false);
    }
}
