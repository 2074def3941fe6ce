// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.SlipringException;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Store;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.memory.MemoryEngine;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/** The same calls have the same answers as with the engine in memory. */
class SameAsMemoryTest {

    private static final List<String> STAGES = List.of("a", "b", "c", "d");

    @TempDir Path folder;

    private Instant now = Instant.ofEpochSecond(1_000_000);
    private Store sqlite;
    private Store memory;
    private final List<Claimed> claims = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void givesTheSameAnswers(long seed) {
        Random random = new Random(seed);
        String url = "sqlite:" + folder.resolve("x.db") + "?synchronous=normal";
        sqlite = new SqliteEngine().open(new Opening(url, null, () -> now, true, false));
        memory = new MemoryEngine().open(new Opening("memory:", null, () -> now, true, false));
        StageSpec quick = StageSpec.named("a").lease(Duration.ofSeconds(2)).tries(3).keep(20);
        Graph graph =
                quick.then(StageSpec.named("b").lease(Duration.ofSeconds(1)).tries(2).ordered());
        RingSpec spec = RingSpec.named("r").messages(60).bytes(200_000).graph(graph);
        both(store -> store.change("r", new Change.Create(spec)));
        for (int step = 0; step < 300; step++) {
            step(random);
            both(store -> store.survey("r", true).broken());
        }
        assertThat(both(store -> store.survey("r", false).pushed())).isNotEqualTo("0");
    }

    @AfterEach
    void close() {
        sqlite.close();
        memory.close();
    }

    private void step(Random random) {
        now = now.plusMillis(random.nextInt(300));
        String stage = STAGES.get(random.nextInt(STAGES.size()));
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> {
                int size = random.nextInt(4) == 0 ? 9000 : 10;
                int count = 1 + random.nextInt(8);
                long number = random.nextInt(50);
                both(
                        store -> {
                            store.push("r", Given.slot(count, size, number % 3, number));
                            return "pushed";
                        });
            }
            case 6, 7, 8, 9, 10, 11 -> claim(new ClaimRequest(stage, 1 + random.nextInt(9), "w"));
            case 12, 13, 14, 15, 16 -> settle(random);
            case 17 -> both(store -> dead(store, stage));
            case 18 -> change(random, stage);
            default -> both(store -> store.pushed("r", 1) + " " + store.pushed("r", 2));
        }
        both(store -> without(store.survey("r", false).toString()));
    }

    private Object dead(Store store, String stage) {
        return switch ((int) (now.toEpochMilli() % 3)) {
            case 0 -> store.deadLetters("r", stage, null, 5);
            case 1 -> store.change("r", new Change.RetryDead(stage, List.of()));
            default -> store.change("r", new Change.DropDead(stage, List.of()));
        };
    }

    private void claim(ClaimRequest request) {
        List<Claimed> got = new ArrayList<>();
        both(
                store -> {
                    Claimed claimed = store.claim("r", request);
                    got.add(claimed);
                    return claimed.ticket()
                            + " "
                            + claimed.nextMillis()
                            + " "
                            + claimed.reason()
                            + " "
                            + claimed.deliveries().stream()
                                    .map(
                                            d ->
                                                    d.position()
                                                            + " "
                                                            + d.attempt()
                                                            + " "
                                                            + d.message().length())
                                    .toList();
                });
        if (!got.isEmpty() && !got.get(0).isEmpty()) {
            claims.add(got.get(0));
        }
    }

    private void settle(Random random) {
        if (claims.isEmpty()) {
            return;
        }
        Claimed claimed = claims.remove(random.nextInt(claims.size()));
        List<Long> done = new ArrayList<>();
        List<Settlement.Failed> failed = new ArrayList<>();
        claimed.deliveries()
                .forEach(
                        delivery -> {
                            switch (random.nextInt(4)) {
                                case 0 -> done.add(delivery.position());
                                case 1 ->
                                        failed.add(
                                                new Settlement.Failed(
                                                        delivery.position(),
                                                        "bad",
                                                        random.nextInt(500)));
                                default -> {}
                            }
                        });
        Settlement.Rest rest = Settlement.Rest.values()[random.nextInt(4)];
        both(store -> store.settle("r", new Settlement(claimed.ticket(), done, failed, rest)));
    }

    private void change(Random random, String stage) {
        Change change =
                switch (random.nextInt(8)) {
                    case 0 -> new Change.Pause(stage, random.nextBoolean());
                    case 1 -> new Change.Rewind(stage, Start.OLDEST);
                    case 2 -> new Change.Rewind(stage, Start.at(now.minusSeconds(2)));
                    case 3, 4 ->
                            new Change.AddStage(
                                    StageSpec.named(stage).lease(Duration.ofSeconds(1)),
                                    Set.of("a"),
                                    Start.at(now.minusMillis(700)));
                    case 5 -> new Change.RemoveStage(stage);
                    case 6 ->
                            random.nextInt(6) == 0
                                    ? new Change.Purge()
                                    : new Change.Pause(stage, false);
                    default -> new Change.Resize(60, 200_000);
                };
        both(store -> store.change("r", change));
    }

    private <T> String both(Function<Store, T> call) {
        String expected = outcome(memory, call);
        assertThat(outcome(sqlite, call)).isEqualTo(expected);
        return expected;
    }

    private static <T> String outcome(Store store, Function<Store, T> call) {
        try {
            return String.valueOf(call.apply(store));
        } catch (SlipringException | IllegalArgumentException e) {
            return e.getClass() + e.getMessage();
        }
    }

    private static String without(String survey) {
        return survey.replaceAll("storeBytes=-?\\d+", "");
    }
}
