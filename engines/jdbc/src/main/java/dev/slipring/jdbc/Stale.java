// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/**
 * Something that a unit of work relied on had changed before it got its locks: the unit begins
 * anew.
 */
final class Stale extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Stale(String what) {
        super(what, null, false, false);
    }
}
