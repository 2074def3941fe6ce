// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Makes objects that stand in front of a real one and have its interface: they pass calls on, or do
 * not.
 */
public final class InFront {

    private InFront() {}

    /** What becomes of a call. */
    @FunctionalInterface
    public interface Way {
        /** Answers a call of a method, or throws. */
        Object go(String method, Object[] arguments, Through through) throws Throwable;
    }

    /** The real thing. */
    @FunctionalInterface
    public interface Through {
        /** What the real thing answers. */
        Object call() throws Throwable;
    }

    /**
     * An object that answers each call in the given way.
     *
     * @param type the interface
     * @param real what is behind it
     */
    public static <T> T of(Class<T> type, T real, Way way) {
        Object front =
                Proxy.newProxyInstance(
                        InFront.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, args) ->
                                way.go(
                                        method.getName(),
                                        args,
                                        () -> {
                                            try {
                                                // The interface may be package-private.
                                                method.trySetAccessible();
                                                return method.invoke(real, args);
                                            } catch (InvocationTargetException e) {
                                                throw e.getCause();
                                            }
                                        }));
        return type.cast(front);
    }
}
