// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

/** A run that did not do what it was to measure: its figures mean nothing. */
public class BenchFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With what went wrong. */
    public BenchFailed(String message) {
        super(message);
    }

    /** With what went wrong, and the cause. */
    public BenchFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
