// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

/** What users test with memory fails there as it would on other engines. */
class ClosedTest {

    @Test
    void whatIsClosedRefusesEverything() {
        Slipring slipring = Slipring.open("memory:");
        Ring ring = slipring.create(RingSpec.named("r"));
        ring.push("x");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        slipring.close();
        slipring.close();
        List<ThrowingCallable> calls =
                List.of(
                        () -> slipring.create(RingSpec.named("other")),
                        () -> slipring.ring("r"),
                        () -> slipring.drop("r"),
                        ring::info,
                        ring::purge,
                        claim::done);
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(StoreFailed.class).hasMessageContaining("closed");
        }
    }

    @Test
    void aDataSourceIsRefused() {
        DataSource source =
                (DataSource)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (proxy, method, args) -> new PrintWriter(System.err));
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(source, "memory")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory:");
    }
}
