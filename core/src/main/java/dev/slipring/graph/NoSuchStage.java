// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

/** The ring has no stage of that name; the message has the names that there are. */
public class NoSuchStage extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** With what was asked for. */
    public NoSuchStage(String message) {
        super(message);
    }
}
