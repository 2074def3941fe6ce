// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

class SchemaTest {

    /** Begins a change of the first segment of the only ring. */
    private static final String SLOTS = "ALTER TABLE slipring.slot_{ring}_0 ";

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

    /**
     * A role that may create no schema can use an empty one of its own, and others get no rights in
     * it.
     */
    @Test
    void isMadeInAnEmptyOneOfOnesOwn() throws SQLException {
        String role = database.name();
        String theirs = database.url().replace("postgres@", role + "@");
        database.run("CREATE ROLE " + role + " LOGIN");
        try {
            assertThatThrownBy(() -> Slipring.open(theirs).close())
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("CREATE SCHEMA slipring AUTHORIZATION role");
            database.run("CREATE SCHEMA slipring AUTHORIZATION " + role);
            for (String[] unlike :
                    new String[][] {
                        {"CREATE TYPE slipring.x AS (y int)", "DROP TYPE slipring.x"},
                        {
                            "GRANT CREATE ON SCHEMA slipring TO PUBLIC",
                            "DROP SCHEMA slipring; CREATE SCHEMA slipring AUTHORIZATION " + role
                        },
                        {
                            "ALTER SCHEMA slipring OWNER TO postgres",
                            "ALTER SCHEMA slipring OWNER TO " + role
                        }
                    }) {
                database.run(unlike[0]);
                assertThatThrownBy(() -> Slipring.open(theirs).close())
                        .as(unlike[0])
                        .isInstanceOf(StoreFailed.class);
                database.run(unlike[1]);
            }
            try (Slipring slipring = Slipring.open(theirs)) {
                slipring.create(RingSpec.named("r")).push("x");
                assertThat(slipring.ring("r").check()).isEmpty();
            }
        } finally {
            database.run("DROP OWNED BY " + role + " CASCADE");
            database.run("DROP ROLE " + role);
        }
    }

    /** Something to do with the URL of a role that owns the schema and is no superuser. */
    @FunctionalInterface
    private interface Owned {
        void run(String url) throws SQLException;
    }

    private void withOwner(Owned work) throws SQLException {
        String role = database.name();
        database.run("CREATE ROLE " + role + " LOGIN");
        try {
            database.run("CREATE SCHEMA slipring AUTHORIZATION " + role);
            work.run(database.url().replace("postgres@", role + "@"));
        } finally {
            database.run("DROP OWNED BY " + role + " CASCADE");
            database.run("DROP ROLE " + role);
        }
    }

    /** Rows that the owner does not see are not gone, and no error says to drop the ring. */
    @Test
    void rowSecurityThatIsForcedIsToldApart() throws SQLException {
        withOwner(
                url -> {
                    Slipring.open(url).close();
                    database.run("ALTER TABLE slipring.schema ENABLE ROW LEVEL SECURITY");
                    Slipring.open(url).close();
                    database.run("ALTER TABLE slipring.schema FORCE ROW LEVEL SECURITY");
                    assertThatThrownBy(() -> Slipring.open(url).close())
                            .isInstanceOf(StoreFailed.class)
                            .hasMessageContaining("NO FORCE ROW LEVEL SECURITY");
                    assertThatThrownBy(() -> database.run("SELECT slipring.create('r')"))
                            .hasMessageContaining("NO FORCE ROW LEVEL SECURITY");
                });
    }

    /** Hides all slots of the first segment, even from their owner. */
    private void hide() throws SQLException {
        database.run(SLOTS + "ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
    }

    private void show() throws SQLException {
        database.run(SLOTS + "NO FORCE ROW LEVEL SECURITY");
    }

    private static void isRefused(ThrowingCallable call) {
        assertThatThrownBy(call).hasMessageContaining("row-level security");
    }

    /** Hidden messages are not passed over, and their segment is not emptied. */
    @Test
    void whatRowSecurityHidesIsNotGone() throws SQLException {
        withOwner(
                url -> {
                    try (Slipring slipring = Slipring.open(url)) {
                        Ring ring = slipring.create(RingSpec.named("r").lanes(1));
                        ring.push("a");
                        database.nextSegment();
                        ring.push("b");
                        hide();
                        isRefused(() -> database.run("SELECT slipring.tidy('r')"));
                        isRefused(() -> ring.stage().claim(9, Duration.ZERO));
                        show();
                        try (Claim claim = ring.stage().claim(9, Duration.ZERO)) {
                            assertThat(claim.deliveries()).hasSize(2);
                        }
                    }
                });
    }

    /**
     * The next session that looks takes a word in, and copies the message that failed: if it is
     * hidden, that is refused.
     */
    @Test
    void whatFailedIsNotLostWhereItIsHidden() throws SQLException {
        withOwner(
                url -> {
                    try (Slipring slipring = Slipring.open(url);
                            Connection caller = database.connect()) {
                        Ring ring = slipring.create(RingSpec.named("r").lanes(1));
                        ring.push("a");
                        Claim claim = ring.stage().claim(1, Duration.ZERO);
                        caller.setAutoCommit(false);
                        ring.join(caller).fail(claim, claim.deliveries().get(0), "no");
                        caller.commit();
                        hide();
                        for (String look : List.of("info", "dead", "messages", "dead_retry")) {
                            isRefused(() -> database.run("SELECT slipring." + look + "('r')"));
                        }
                        isRefused(() -> ring.stage().pause());
                        show();
                        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
                    }
                });
    }

    /** A subscriber of logical replication, for example, has the rows, but not the sequences. */
    @Test
    void rowsWithoutSequencesAreToldApart() throws SQLException {
        Slipring.open(database.url()).close();
        database.run("ALTER SEQUENCE slipring.page RESTART");
        for (boolean migrate : List.of(true, false)) {
            assertThatThrownBy(() -> open(migrate).close())
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("without its data or that of its sequences");
        }
        assertThatThrownBy(() -> database.run("SELECT slipring.create('r')"))
                .hasMessageContaining("without its data or that of its sequences");
    }

    /**
     * An event trigger may fail, too: a table that it misses is not reported as one of Slipring's.
     */
    @Test
    void whatAnEventTriggerMissesIsNotSlipring() throws SQLException {
        database.run(
                "CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN INSERT INTO ddl_log VALUES (1); END';"
                        + " CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION note()");
        assertThatThrownBy(() -> open(true).close())
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("\"ddl_log\" does not exist")
                .hasMessageNotContaining("missing or incomplete");
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

    /**
     * The public gets no rights, whatever default privileges give when the schema or a ring is
     * created.
     */
    @Test
    void nothingOfItIsForThePublic() throws SQLException {
        for (String what : List.of("TABLES", "SEQUENCES", "FUNCTIONS")) {
            database.run("ALTER DEFAULT PRIVILEGES GRANT ALL ON " + what + " TO PUBLIC");
        }
        String granted =
                "SELECT string_agg(what, ', ') FROM (SELECT relname, relacl, relnamespace FROM"
                        + " pg_class UNION ALL SELECT proname, proacl, pronamespace FROM pg_proc) x"
                        + " (what, acl, space), aclexplode(acl) a WHERE a.grantee = 0 AND space ="
                        + " 'slipring'::regnamespace";
        open(true).close();
        assertThat(database.text(granted)).isNull();
        database.run("SELECT slipring.create('sql', lanes => 2)");
        database.slipring().create(RingSpec.named("java")).push("x");
        assertThat(database.text(granted)).isNull();
        assertThat(database.slipring().ring("java").check()).isEmpty();
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
