// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Claim;
import dev.slipring.Stage;

import java.time.Duration;

/**
 * A worker of this process that walks away from its claim, for a store that other processes cannot
 * reach.
 */
final class DoomedThread implements Doomed {

    private final Stage stage;

    DoomedThread(Stage stage) {
        this.stage = stage.worker("walks-away");
    }

    @Override
    public String words() {
        return "a worker that will walk away (no other process can reach this store)";
    }

    @Override
    public Hand claim() {
        return DoomedProcess.hand(claimed(stage), 0);
    }

    /**
     * Claims as many messages as a doomed worker takes. The caller never reports anything about
     * them.
     */
    static Claim claimed(Stage stage) {
        return stage.claim(DoomedProcess.MESSAGES, Duration.ofSeconds(10));
    }

    @Override
    public String kill() {
        return "it walks away and never speaks of them again";
    }

    @Override
    public void close() {}
}
