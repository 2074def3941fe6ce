// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

/** A run that did not do what it was to measure, so that its figures mean nothing. */
public class BenchFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A failure, with what went wrong. */
    public BenchFailed(String message) {
        super(message);
    }

    /** A failure, with what went wrong and its cause. */
    public BenchFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
