// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.engine.Store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store in front of the real one, whose calls go through it or fail. */
final class StoreInFront {

    private StoreInFront() {}

    /** What becomes of a call. */
    @FunctionalInterface
    interface Way {
        /** Answers a call of a method, or throws. */
        Object go(String method, Object[] arguments, Through through) throws Throwable;
    }

    /** The real store. */
    @FunctionalInterface
    interface Through {
        Object call() throws Throwable;
    }

    /** The store. */
    static Store of(Store real, Way way) {
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (proxy, method, args) ->
                                way.go(
                                        method.getName(),
                                        args,
                                        () -> {
                                            try {
                                                return method.invoke(real, args);
                                            } catch (InvocationTargetException e) {
                                                throw e.getCause();
                                            }
                                        }));
    }
}
