// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.engine.Store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store in front of the real one, whose calls go through it or fail. */
public final class StoreInFront {

    private StoreInFront() {}

    /** What becomes of a call. */
    @FunctionalInterface
    public interface Way {
        /** Answers a call of a method, or throws. */
        Object go(String method, Object[] arguments, Through through) throws Throwable;
    }

    /** The real store. */
    @FunctionalInterface
    public interface Through {
        /** What the real store answers. */
        Object call() throws Throwable;
    }

    /** A store whose calls go the way that is told. */
    public static Store of(Store real, Way way) {
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
