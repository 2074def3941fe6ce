// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.OutcomeUnknown;
import dev.slipring.engine.Store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store in front of the real one that loses the connection in every second commit of a push. */
final class UnknownCommits {

    private UnknownCommits() {}

    /** The store; by turns the push is made and its answer lost, made, or lost on its way there. */
    static Store over(Store real) {
        int[] turn = {0};
        return (Store)
                Proxy.newProxyInstance(
                        Store.class.getClassLoader(),
                        new Class<?>[] {Store.class},
                        (proxy, method, args) -> {
                            boolean push = method.getName().equals("push");
                            int now = push ? turn[0]++ % 3 : 1;
                            if (now == 2) {
                                throw new OutcomeUnknown("cut off before the commit");
                            }
                            Object answer;
                            try {
                                answer = method.invoke(real, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                            if (now == 0) {
                                throw new OutcomeUnknown("cut off after the commit");
                            }
                            return answer;
                        });
    }
}
