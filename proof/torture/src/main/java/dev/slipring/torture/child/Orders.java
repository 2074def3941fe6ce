// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

/** What a process was told to do by the controller. Thread-safe. */
final class Orders {

    private volatile boolean calm;
    private volatile boolean stopped;

    void hear(String order) {
        calm |= order.equals("calm");
        stopped |= order.equals("stop");
    }

    /** Whether handlers are to make no more trouble. */
    boolean calm() {
        return calm;
    }

    /** Whether to come to an end. */
    boolean stopped() {
        return stopped;
    }
}
