// SPDX-License-Identifier: Apache-2.0
package dev.slipring.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;

/** What comes between a look and the listening is not missed. */
class EarTest {

    @Test
    void whoBeginsToListenLooksOnceMore() {
        AutoCloseable listening = () -> {};
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(),
                                new Class<?>[] {Store.class},
                                (proxy, method, args) -> listening);
        Signal signal = new Signal();
        try (Ear ear = new Ear(store, signal)) {
            long seen = signal.changes();
            ear.open();
            assertThat(signal.changes()).isGreaterThan(seen);
            seen = signal.changes();
            ear.open();
            assertThat(signal.changes()).as("it listened already").isEqualTo(seen);
        }
    }
}
