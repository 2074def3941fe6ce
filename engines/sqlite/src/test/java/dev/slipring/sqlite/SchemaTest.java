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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
    void isMadeWhereDigitsAreOthers() {
        Locale before = Locale.getDefault();
        Locale.setDefault(new Locale("ar", "EG"));
        try (Store store = Given.ring(folder.resolve("x.db"))) {
            assertThat(String.format("%d", 1)).isNotEqualTo("1");
            assertThat(store.schema().installed()).isEqualTo(SqliteSchema.CURRENT);
        } finally {
            Locale.setDefault(before);
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
    void comesToANextVersionWithAllThatIsInIt() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file)) {
            store.push("r", Given.slot(1, 10));
        }
        List<String> scripts = new ArrayList<>(SqliteSchema.scripts());
        scripts.add(
                "ALTER TABLE slipring_ring ADD COLUMN note TEXT;"
                        + " UPDATE slipring_schema SET version = 2");
        scripts.add(
                "UPDATE slipring_ring SET note = coalesce(note, '') || 'x';"
                        + " UPDATE slipring_schema SET version = 3");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<Void> upgrade = () -> upgrade(file, scripts);
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(8, upgrade))) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        try (Connection connection = Given.jdbc(file)) {
            assertThat(Given.number(connection, "SELECT version FROM slipring_schema"))
                    .isEqualTo(3);
            String once = "SELECT count(*) FROM slipring_ring WHERE note = 'x'";
            assertThat(Given.number(connection, once)).isEqualTo(1);
            assertThatThrownBy(() -> upgrade(file, scripts.subList(0, 2)))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("newer Slipring: schema 3, this one knows 2");
            // All else is unchanged, so this version finds all that it has left.
            Given.run(connection, "UPDATE slipring_schema SET version = 1");
        }
        try (Store store = Given.store(file)) {
            assertThat(Given.pushed(store)).isEqualTo(1);
            assertThat(store.survey("r", true).broken()).isEmpty();
        }
    }

    private static Void upgrade(Path file, List<String> scripts) throws Exception {
        Statements statements = new Statements(Given.jdbc(file));
        try {
            LockPatience patience = new LockPatience(Duration.ofMinutes(1));
            SqliteSchema.migrate(statements, patience, file.toString(), scripts);
        } finally {
            statements.end();
        }
        return null;
    }

    @Test
    void anUpgradeThatFailsChangesNothing() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        List<String> scripts = new ArrayList<>(SqliteSchema.scripts());
        scripts.add("UPDATE slipring_schema SET version = 2; DELETE FROM slipring_ring");
        scripts.add("UPDATE slipring_schema SET version = 3; UPDATE no_such_table SET x = 1");
        assertThatThrownBy(() -> upgrade(file, scripts)).isInstanceOf(SqlFailed.class);
        try (Store store = Given.store(file)) {
            assertThat(store.schema().installed()).isEqualTo(1);
            assertThat(store.rings()).containsExactly("r");
        }
    }

    /** Where sqlite3 does not stop at errors, all that follows runs in the file that is in use. */
    @Test
    void theScriptChangesNothingIfItIsRunAgain() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        String script = SqliteSchema.scripts().get(0);
        try (Connection connection = Given.jdbc(file)) {
            Given.run(connection, script.substring(script.lastIndexOf("INSERT INTO")));
            assertThat(Given.number(connection, "SELECT count(*) FROM slipring_schema"))
                    .isEqualTo(1);
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
