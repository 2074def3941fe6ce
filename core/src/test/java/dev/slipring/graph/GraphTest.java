// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

class GraphTest {

    private static final List<StageSpec> ABC =
            List.of(StageSpec.named("a"), StageSpec.named("b"), StageSpec.named("c"));

    @Test
    void aDiamondIsBuilt() {
        Stages stages = Stages.of(FanOut.to("locate").and("grade").then("alert"));
        assertThat(stages.names()).containsExactly("locate", "grade", "alert");
        assertThat(stages.after("alert")).containsExactlyInAnyOrder("locate", "grade");
        assertThat(stages.after("locate")).isEmpty();
    }

    @Test
    void whatIsMissingIsNamed() {
        Graph nothing = null;
        assertThatThrownBy(() -> Graph.of("a").then(nothing)).hasMessage("next");
        assertThatThrownBy(() -> FanOut.to(nothing)).hasMessage("arm");
        assertThatThrownBy(() -> FanOut.to("a").and(nothing)).hasMessage("arm");
    }

    /** Rings are known by it, also to others who have it. */
    @Test
    void whatIsBuiltStaysAsItIs() {
        Stages stages = Stages.of(FanOut.to("locate").and("grade").then("alert"));
        for (Set<String> names : List.of(stages.names(), stages.after("alert"))) {
            assertThatThrownBy(() -> names.remove("locate"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
        assertThat(stages).isEqualTo(Stages.of(FanOut.to("locate").and("grade").then("alert")));
    }

    /** Whoever chooses it would otherwise write lines of his own into a log. */
    @Test
    void aWrongNameIsToldInOneShortLine() {
        String wrong = "a\u001b[2J\r\nERROR all is lost\u2028\u202e" + "x".repeat(1_000_000);
        Stages stages = Stages.of(Graph.of("a"));
        List<ThrowingCallable> calls =
                List.of(
                        () -> Names.check("ring", wrong),
                        () -> Names.checkWorker(wrong),
                        () -> stages.get(wrong),
                        () -> stages.with(StageSpec.named("b"), Set.of(wrong)));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .hasMessageMatching("[^\\p{Cc}\\p{Cf}\\u2028\\u2029]{1,300}")
                    .hasMessageContaining("'a [2J  ERROR");
        }
    }

    /** Where each is looked at from the one behind it, the stack would overflow. */
    @Test
    void aChainMayBeLong() {
        int length = 20_000;
        Graph chain = Graph.of("s0");
        for (int i = 1; i < length; i++) {
            chain = chain.then("s" + i);
        }
        Stages stages = Stages.of(chain);
        assertThat(stages.names()).hasSize(length).startsWith("s0", "s1").endsWith("s19999");
        assertThat(stages.after("s0")).isEmpty();
        assertThat(stages.after("s19999")).containsExactly("s19998");
        assertThat(stages.ancestors("s19999")).hasSize(length - 1);
        Graph circle = chain.then("s7");
        assertThatThrownBy(() -> Stages.of(circle.stages().subList(0, length), circle.edges()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the stages follow each other in a circle: s");
    }

    @Test
    void fanOutsNest() {
        Graph graph =
                Graph.of("a")
                        .then(FanOut.to(FanOut.to("b").and("c")).and(Graph.of("d").then("e")))
                        .then("f");
        Stages stages = Stages.of(graph);
        assertThat(stages.after("f")).containsExactlyInAnyOrder("b", "c", "e");
        assertThat(stages.after("d")).containsExactly("a");
        assertThat(stages.ancestors("f")).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        assertThat(stages.followers("a")).containsExactly("b", "c", "d");
    }

    @Test
    void aRemovedStageLeavesItsPlace() {
        Stages stages = Stages.of(Graph.of("a").then("b").then("c")).without("b");
        assertThat(stages.after("c")).containsExactly("a");
        assertThat(stages).isEqualTo(Stages.of(Graph.of("a").then("c")));
    }

    @Test
    void whoFollowsNobodyIsToldWhoThereIs() {
        assertThatThrownBy(
                        () ->
                                Stages.of(
                                        List.of(StageSpec.named("a"), StageSpec.named("b")),
                                        Map.of("a", Set.of(), "b", Set.of("c"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("'c', which is not declared; the others are a");
        assertThatThrownBy(() -> Stages.of(List.of(StageSpec.named("a")), Map.of("a", Set.of("c"))))
                .hasMessageEndingWith("'c', which is not declared; there is no other stage");
    }

    @Test
    void aCircleIsRefused() {
        assertThatThrownBy(
                        () ->
                                Stages.of(
                                        ABC,
                                        Map.of(
                                                "a",
                                                Set.of("c"),
                                                "b",
                                                Set.of("a"),
                                                "c",
                                                Set.of("b"))))
                .hasMessageContaining("in a circle: a follows c follows b follows a");
        assertThatThrownBy(() -> Stages.of(List.of(StageSpec.named("a")), Map.of("a", Set.of("a"))))
                .hasMessageContaining("in a circle: a follows a");
        assertThatThrownBy(() -> Stages.of(ABC, Map.of("a", Set.of("b", "c"), "c", Set.of("a"))))
                .hasMessageContaining("in a circle: a follows c follows a");
    }

    /** There are more ways through it than anybody could walk. */
    @Test
    void aDeepGraphIsWalkedOnce() {
        Graph graph = FanOut.to("a0").and("b0");
        for (int layer = 1; layer < 60; layer++) {
            graph = graph.then(FanOut.to("a" + layer).and("b" + layer));
        }
        assertThat(Stages.of(graph).ancestors("a59")).hasSize(118);
    }

    @Test
    void aNameTwiceAndNoneAreRefused() {
        assertThatThrownBy(() -> Stages.of(Graph.of("a").then("a")))
                .hasMessageContaining("'a' is declared twice");
        assertThatThrownBy(() -> Stages.of(List.of(), Map.of()))
                .hasMessageContaining("at least one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "a'b", "a\"b", "a/b", "😀", "-a", ".a", "a\n", "a:b", "a+b"})
    void badNamesAreRefused(String name) {
        assertThatThrownBy(() -> RingSpec.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> StageSpec.named(name))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoTextNamesNoWorker() {
        assertThat(Names.checkWorker("größe 😀 'x'")).isEqualTo("größe 😀 'x'");
        for (String name : List.of("", "a\0", "a\n", "half \ud83d", "x".repeat(201))) {
            assertThatThrownBy(() -> Names.checkWorker(name)).hasMessageContaining("worker name");
        }
    }

    @Test
    void longNamesAreRefused() {
        assertThat(RingSpec.named("x".repeat(63)).name()).hasSize(63);
        assertThatThrownBy(() -> RingSpec.named("x".repeat(64))).hasMessageContaining("1 to 63");
    }

    @Test
    void nonsenseIsRefused() {
        StageSpec stage = StageSpec.named("s");
        assertThatThrownBy(() -> stage.lease(Duration.ZERO)).hasMessageContaining("lease of 0 s");
        assertThatThrownBy(() -> stage.lease(Duration.ofNanos(500_000)))
                .hasMessageContaining("lease of 0.0005 s");
        assertThatThrownBy(() -> stage.lease(Duration.ofDays(2))).hasMessageContaining("24 hours");
        assertThatThrownBy(() -> stage.lease(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("24 hours");
        assertThatThrownBy(() -> stage.backoff(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("36525 days");
        assertThatThrownBy(() -> stage.tries(0)).hasMessageContaining("tries");
        assertThatThrownBy(() -> stage.keep(0)).hasMessageContaining("set aside");
        assertThatThrownBy(() -> stage.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("back-off");
        assertThatThrownBy(() -> RingSpec.named("r").lanes(0)).hasMessageContaining("lanes");
        assertThatThrownBy(() -> RingSpec.named("r").messages(0)).hasMessageContaining("capacity");
    }

    @Test
    void backOffDoublesToItsMost() {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
        assertThat(backoff.millis(1, 0)).isEqualTo(500);
        assertThat(backoff.millis(1, 0.999999)).isEqualTo(1_000);
        assertThat(backoff.millis(3, 0.999999)).isEqualTo(4_000);
        assertThat(backoff.millis(9, 0.999999)).isEqualTo(10_000);
        assertThat(backoff.millis(1_000_000, 0)).isEqualTo(5_000);
    }
}
