// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Others keep locked what a unit of work needs, and it is not to wait for them any longer. */
final class LockWaitOver extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LockWaitOver(SqlFailed cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
