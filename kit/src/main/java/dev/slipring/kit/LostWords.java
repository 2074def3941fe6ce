// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.StoreFailed;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in front of the real one that fails when a word comes with a wish for the next claim. */
final class LostWords {

    private LostWords() {}

    /** The store; every second word that comes with a claim does not reach it. */
    static Store over(Store real) {
        AtomicInteger turn = new AtomicInteger();
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (proxy, method, args) -> {
                            boolean word =
                                    method.getName().equals("claim")
                                            && ((ClaimRequest) args[1]).before() != null;
                            if (word && turn.getAndIncrement() % 2 == 0) {
                                throw new StoreFailed("cut off on the way there", null);
                            }
                            try {
                                return method.invoke(real, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
