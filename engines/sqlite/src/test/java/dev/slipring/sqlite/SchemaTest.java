// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

class SchemaTest {

    @TempDir Path folder;

    @Test
    void isMadeOnce() {
        Path file = folder.resolve("x.db");
        try (Store one = Given.ring(file);
                Store two = Given.store(file)) {
            assertThat(two.rings()).containsExactly("r");
            assertThat(two.schema().installed()).isEqualTo(SqliteSchema.CURRENT);
            assertThat(two.schema().current()).isEqualTo(SqliteSchema.CURRENT);
            assertThat(one.schema().scripts().get(0)).contains("CREATE TABLE slipring_ring");
        }
    }

    @Test
    void isMadeByOneOfManyAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 5; round++) {
                Path file = folder.resolve(round + ".db");
                List<Callable<Integer>> openings =
                        IntStream.range(0, 8)
                                .<Callable<Integer>>mapToObj(
                                        i ->
                                                () -> {
                                                    try (Store store = Given.store(file)) {
                                                        return store.schema().installed();
                                                    }
                                                })
                                .toList();
                for (Future<Integer> opening : threads.invokeAll(openings)) {
                    assertThat(opening.get()).isEqualTo(SqliteSchema.CURRENT);
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void isNotMadeIfNotWanted() {
        Path file = folder.resolve("x.db");
        try (Store store = Given.open("sqlite:" + file, false)) {
            assertThat(store.schema().installed()).isZero();
            assertThatThrownBy(store::rings)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("slipring migrate apply");
            assertThatThrownBy(() -> store.push("r", Given.slot(1, 1)))
                    .isInstanceOf(StoreFailed.class);
            Given.ring(file).close();
            assertThat(store.rings()).containsExactly("r");
            store.push("r", Given.slot(1, 1));
        }
    }

    @Test
    void refusesANewerOne() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        try (Connection connection = Given.jdbc(file)) {
            Given.run(connection, "UPDATE slipring_schema SET version = 7");
        }
        for (boolean migrate : new boolean[] {true, false}) {
            assertThatThrownBy(() -> Given.open("sqlite:" + file, migrate))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("newer Slipring: schema 7, this one knows 1");
        }
    }
}
