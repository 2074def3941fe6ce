// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

/** The orders that a process has from the controller. Thread-safe. */
final class Orders {

    private volatile boolean calm;
    private volatile boolean resting;
    private volatile boolean stopped;

    void hear(String order) {
        resting |= order.equals("rest");
        calm |= order.equals("calm");
        stopped |= order.equals("stop");
    }

    /** Whether handlers are to make no more trouble. */
    boolean calm() {
        return calm;
    }

    /** Whether to wait long, as there is nothing to do. */
    boolean resting() {
        return resting;
    }

    /** Whether to come to an end. */
    boolean stopped() {
        return stopped;
    }
}
