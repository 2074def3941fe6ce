// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

class SchemaTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Store open(boolean migrate) {
        return new PostgresEngine()
                .open(new Opening(database.url(), null, InstantSource.system(), migrate, false));
    }

    @Test
    void isMadeByOneOfManyAtOnce() {
        List<CompletableFuture<Store>> opening =
                IntStream.range(0, 6)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> open(true)))
                        .toList();
        for (CompletableFuture<Store> store : opening) {
            try (Store open = store.join()) {
                assertThat(open.schema().installed()).isEqualTo(PostgresSchema.CURRENT);
            }
        }
    }

    @Test
    void isNotMadeIfNotWanted() {
        try (Store store = open(false)) {
            assertThat(store.schema().installed()).isZero();
            assertThatThrownBy(store::rings)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("slipring migrate apply");
        }
    }

    @Test
    void isLookedAtWhereItMustBeThere() {
        Options existing = Options.url(database.url()).existingOnly();
        assertThatThrownBy(() -> Slipring.open(existing))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("no schema of Slipring");
        try (Slipring slipring = Slipring.open(existing.withoutMigration())) {
            assertThat(slipring.schema().installed()).isZero();
        }
    }

    @Test
    void isOneScriptForThoseWhoRunItThemselves() throws SQLException {
        database.run(PostgresSchema.scripts().get(0));
        try (Store store = open(false)) {
            assertThat(store.rings()).isEmpty();
        }
    }

    @Test
    void refusesANewerOne() throws SQLException {
        open(true).close();
        database.run("UPDATE slipring.schema SET version = 7");
        for (boolean migrate : new boolean[] {true, false}) {
            assertThatThrownBy(() -> open(migrate))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("newer Slipring: schema 7, this one knows 1");
        }
    }

    @Test
    void aPasswordIsNotShown() {
        String wrong = database.url().replace("postgres@", "nobody:s3cret%40@");
        assertThatThrownBy(() -> Slipring.open(wrong))
                .isInstanceOf(StoreFailed.class)
                .hasMessageNotContaining("s3cret");
        assertThat(PostgresUrl.parse(wrong).password()).isEqualTo("s3cret@");
        assertThat(PostgresUrl.parse(wrong).toString()).doesNotContain("s3cret");
        assertThatThrownBy(() -> PostgresUrl.parse("postgresql://u:p%zz@h/d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("%25");
        assertThatThrownBy(() -> PostgresUrl.parse("postgresql://h"))
                .hasMessageContaining("names no database");
    }
}
