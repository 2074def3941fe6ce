// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.Proxy;
import dev.slipring.kit.server.Proxy.Cut;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connection is cut in the middle of a push, a claim, a done and a look. */
class CutTest {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String WORKER = "worker-that-is-cut-off";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Proxy proxy;
    private Slipring slipring;
    private Ring ring;

    @BeforeEach
    void open() throws SQLException, IOException {
        proxy = new Proxy(database.port());
        slipring = Slipring.open(Options.url(database.url(proxy.port())).worker(WORKER));
        ring =
                slipring.create(
                        RingSpec.named("r")
                                .lanes(1)
                                .graph(StageSpec.named("stage-that-is-cut-off").lease(LEASE)));
    }

    @AfterEach
    void close() throws SQLException, IOException {
        slipring.close();
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource
    void aPushIsMadeOnce(Cut when) {
        ring.push("first");
        proxy.cut("the second", when);
        ring.push("the second");
        assertThat(proxy.hasCut()).isTrue();
        ring.push("third");
        Claim claim = ring.stage().claim(9, Duration.ZERO);
        assertThat(claim.deliveries())
                .extracting(delivery -> delivery.text())
                .containsExactly("first", "the second", "third");
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    /** The process that pushed a body keeps it, unless the outcome of the push is unknown. */
    @ParameterizedTest
    @EnumSource
    void aLargePushIsWhole(Cut when) {
        String large = "-".repeat(9000);
        ring.push("first" + large);
        proxy.cut("the second", when);
        ring.push("the second" + large);
        assertThat(proxy.hasCut()).isTrue();
        ring.push("third" + large);
        Claim claim = ring.stage().claim(9, Duration.ZERO);
        assertThat(claim.deliveries())
                .extracting(delivery -> delivery.text())
                .containsExactly("first" + large, "the second" + large, "third" + large);
    }

    @ParameterizedTest
    @EnumSource
    void aClaimIsHandedOutAgain(Cut when) {
        ring.push("x");
        proxy.cut(WORKER, when);
        assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("connection");
        assertThat(proxy.hasCut()).isTrue();
        Claim claim = ring.stage().claim(1, LONG);
        assertThat(claim.deliveries())
                .singleElement()
                .satisfies(
                        delivery ->
                                assertThat(delivery.attempt())
                                        .isEqualTo(when == Cut.BEFORE ? 1 : 2));
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aDoneHoldsOrTheMessageComesAgain(Cut when) {
        ring.push("x");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        proxy.cut(ring.stage().name(), when);
        assertThatThrownBy(claim::done).isInstanceOf(OutcomeUnknown.class);
        assertThat(proxy.hasCut()).isTrue();
        if (when == Cut.BEFORE) {
            Claim again = ring.stage().claim(1, LONG);
            assertThat(again.deliveries()).hasSize(1);
            again.done();
        }
        assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isTrue();
        assertThat(ring.info().stages().get(0).lag()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aLookLeavesNothingUnknown(Cut when) {
        proxy.cut("READ ONLY", when);
        assertThatThrownBy(ring::info)
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("was lost");
        assertThat(proxy.hasCut()).isTrue();
        assertThat(ring.info().pushed()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aCallersTransactionIsNotHalfStored(Cut when) throws SQLException {
        try (Connection caller = Server.connect(database.url(proxy.port()))) {
            caller.setAutoCommit(false);
            ring.join(caller).push(Message.of("one"));
            proxy.cut("the other", when);
            assertThatThrownBy(() -> ring.join(caller).push(Message.of("the other")))
                    .isInstanceOf(StoreFailed.class);
        }
        ring.push("after");
        Claim claim = ring.stage().claim(9, LONG);
        assertThat(claim.deliveries())
                .extracting(delivery -> delivery.text())
                .containsExactly("after");
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void workersGoOn() throws InterruptedException {
        List<String> texts = List.of("a", "b", "c", "d", "e", "f");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (var workers = ring.stage().work(2, delivery -> seen.add(delivery.text()))) {
            for (String text : texts) {
                proxy.cut(WORKER, text.compareTo("c") > 0 ? Cut.BEFORE : Cut.AFTER);
                ring.push(text);
            }
            assertThat(ring.drain(LONG)).isTrue();
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(texts);
    }
}
