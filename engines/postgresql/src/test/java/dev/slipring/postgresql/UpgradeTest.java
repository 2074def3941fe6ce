// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.NewerSchema;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The way to a next version of the schema, which a member of its owner takes. */
class UpgradeTest {

    private static final String NEXT =
            "ALTER TABLE slipring.stage ADD COLUMN note text;"
                    + " CREATE TABLE slipring.note (waits text);"
                    + " CREATE FUNCTION slipring.note() RETURNS int LANGUAGE sql AS 'SELECT 1';"
                    + " INSERT INTO slipring.note SELECT current_setting('lock_timeout');"
                    + " UPDATE slipring.schema SET version = 2;";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @BeforeEach
    void makeRoles() throws SQLException {
        database.run(
                "CREATE ROLE upgrade_own LOGIN; CREATE ROLE upgrade_app LOGIN;"
                        + " GRANT upgrade_own TO upgrade_app;"
                        + " CREATE SCHEMA slipring AUTHORIZATION upgrade_own");
        as("upgrade_own").close();
    }

    @AfterEach
    void dropRoles() throws SQLException {
        database.run(
                "DROP OWNED BY upgrade_own, upgrade_app CASCADE;"
                        + " DROP ROLE upgrade_app; DROP ROLE upgrade_own");
    }

    private Slipring as(String role) {
        return Slipring.open(database.url(role));
    }

    private void upgrade(String options, String... scripts) {
        PostgresUrl url = PostgresUrl.parse(database.url("upgrade_app") + options);
        List<String> all = new ArrayList<>(PostgresSchema.scripts());
        all.addAll(List.of(scripts));
        Trouble trouble = new Trouble(url.place());
        try (Connections own = new Connections(url.dataSource(), false, trouble)) {
            PostgresSchema.migrate(own, url.place(), all);
        }
    }

    private long version() throws SQLException {
        return database.number("SELECT version FROM slipring.schema");
    }

    /** Otherwise its own functions could not use what an upgrade by a member has added. */
    @Test
    void whatItAddsBelongsToTheOwner() throws SQLException {
        upgrade("", NEXT);
        assertThat(version()).isEqualTo(2);
        String owners =
                "SELECT string_agg(DISTINCT pg_get_userbyid(owner), ',') FROM (SELECT relowner,"
                        + " relnamespace FROM pg_class UNION SELECT proowner, pronamespace FROM"
                        + " pg_proc) x (owner, space) WHERE space = 'slipring'::regnamespace";
        assertThat(database.text(owners)).isEqualTo("upgrade_own");
    }

    @Test
    void keepsWhatIsInUse() throws SQLException {
        try (Slipring slipring = as("upgrade_app")) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(1));
            IntStream.range(0, 10).forEach(i -> ring.push("m" + i));
            Claim first = ring.stage().claim(2, Duration.ofSeconds(20));
            List<CompletableFuture<Void>> upgrades =
                    IntStream.range(0, 4)
                            .mapToObj(i -> CompletableFuture.runAsync(() -> upgrade("", NEXT)))
                            .toList();
            upgrades.forEach(CompletableFuture::join);
            assertThat(version()).isEqualTo(2);
            first.fail(first.deliveries().get(0), "later", Duration.ZERO);
            first.done(first.deliveries().get(1));
            ring.push("m10");
        }
        assertThatThrownBy(() -> upgrade("")).isInstanceOf(NewerSchema.class);
        // All else is unchanged, so this version finds all that it has left.
        database.run("UPDATE slipring.schema SET version = 1");
        try (Slipring slipring = as("upgrade_app")) {
            assertThat(slipring.ring("r").stage().drain(delivery -> {})).isEqualTo(10);
            assertThat(slipring.ring("r").check()).isEmpty();
        }
    }

    @Test
    void changesNothingIfItFails() throws SQLException {
        String broken = "UPDATE slipring.schema SET version = 3; UPDATE slipring.no SET x = 1";
        assertThatThrownBy(() -> upgrade("", NEXT, broken)).isInstanceOf(StoreFailed.class);
        assertThat(version()).isEqualTo(1);
        assertThat(database.text("SELECT to_regclass('slipring.note')")).isNull();
        as("upgrade_app").close();
    }

    /** As long as it waits for an open transaction, everybody else waits behind it. */
    @Test
    void doesNotWaitForEver() throws SQLException {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE slipring.stage IN ACCESS SHARE MODE");
            assertThatThrownBy(() -> upgrade("?options=-c%20lock_timeout=100", NEXT))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("end it (pg_stat_activity");
            assertThat(version()).isEqualTo(1);
        }
        upgrade("", NEXT);
        assertThat(database.text("SELECT waits FROM slipring.note")).isEqualTo("1min");
    }

    @Test
    void anOlderVersionIsNotWorkedWith() throws SQLException {
        try (Slipring slipring = as("upgrade_app")) {
            slipring.create(RingSpec.named("r"));
        }
        database.run("UPDATE slipring.schema SET version = 0");
        Options leaves = Options.url(database.url("upgrade_app")).withoutMigration();
        try (Slipring slipring = Slipring.open(leaves);
                Connection caller = database.connect()) {
            assertThat(slipring.schema().installed()).isZero();
            String words = "has no schema of Slipring, this Slipring works with schema 1";
            assertThatThrownBy(slipring::rings).hasMessageContaining(words);
            assertThatThrownBy(() -> slipring.ring("r").push("x")).hasMessageContaining(words);
            assertThatThrownBy(() -> slipring.store().join(caller)).hasMessageContaining(words);
            database.run("UPDATE slipring.schema SET version = 1");
            slipring.ring("r").push("x");
            assertThat(slipring.ring("r").info().pushed()).isEqualTo(1);
        }
    }

    /** Where psql does not stop at errors, all that follows runs in the schema that is in use. */
    @Test
    void theScriptChangesNothingIfItIsRunAgain() throws SQLException {
        database.run("SELECT setval('slipring.page', 6), setval('slipring.news', 7)");
        Matcher changes =
                Pattern.compile("(?m)^(?:INSERT|UPDATE|SELECT) [^;]*;")
                        .matcher(PostgresSchema.scripts().get(0));
        int found = 0;
        for (; changes.find(); found++) {
            database.run(changes.group());
        }
        assertThat(found).isGreaterThanOrEqualTo(3);
        assertThat(database.number("SELECT count(*) FROM slipring.schema")).isEqualTo(1);
        assertThat(database.number("SELECT pg_sequence_last_value('slipring.page')")).isEqualTo(6);
        assertThat(database.number("SELECT pg_sequence_last_value('slipring.news')")).isEqualTo(7);
    }
}
