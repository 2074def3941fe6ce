// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;

/** A ring that is dropped while somebody makes one of its name. */
class DropTest {

    private final RingSpec spec = RingSpec.named("r");
    private long id = 1;
    private Runnable afterDrop = () -> {};
    private final Slipring slipring =
            Slipring.over(
                    (Store)
                            Proxy.newProxyInstance(
                                    Store.class.getClassLoader(),
                                    new Class<?>[] {Store.class},
                                    (proxy, method, args) -> answer(method.getName(), args)),
                    Options.url("memory:"));

    private Object answer(String method, Object[] arguments) {
        if (method.equals("change") && arguments[1] instanceof Change.Drop) {
            id = 0;
            afterDrop.run();
        } else if (method.equals("change")) {
            id = 2;
        }
        if (method.equals("shape")) {
            return Optional.of(new Shape(id, 1, spec, Set.of())).filter(shape -> id > 0);
        }
        return method.equals("change") ? 0L : null;
    }

    @Test
    void theNewRingStaysOpen() {
        Ring old = slipring.ring("r");
        Ring[] made = {null};
        afterDrop = () -> made[0] = slipring.create(spec);
        slipring.drop("r");
        made[0].checkOpen();
        assertThat(slipring.ring("r")).isSameAs(made[0]);
        assertThatThrownBy(old::checkOpen).isInstanceOf(NoSuchRing.class);
    }
}
