// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Code of a user with few rights never runs with the rights of the owner. */
class OthersCodeTest {

    /** Functions and operators that fit calls with untyped texts better than PostgreSQL's own. */
    private static final List<String> TRAPS =
            List.of(
                    "FUNCTION public.trap_and(bigint, int) RETURNS bigint",
                    "FUNCTION public.trap_divide(bigint, numeric) RETURNS numeric",
                    "FUNCTION public.trap_plus(bigint, int) RETURNS bigint",
                    "FUNCTION public.trap_less(bigint, int) RETURNS boolean",
                    "FUNCTION public.trap_is(name, text) RETURNS boolean",
                    "FUNCTION public.trap_is(text, name) RETURNS boolean",
                    "FUNCTION public.hashtextextended(text, int) RETURNS bigint",
                    "FUNCTION public.pg_sequence_last_value(text) RETURNS bigint",
                    "FUNCTION public.setval(text, int) RETURNS bigint",
                    "FUNCTION public.setval(text, bigint) RETURNS bigint",
                    "FUNCTION public.pg_table_size(oid) RETURNS bigint",
                    "FUNCTION public.pg_indexes_size(oid) RETURNS bigint",
                    "FUNCTION public.to_timestamp(numeric) RETURNS timestamptz");

    private static final List<String> OPERATORS =
            List.of(
                    "& (LEFTARG = bigint, RIGHTARG = int, FUNCTION = public.trap_and)",
                    "/ (LEFTARG = bigint, RIGHTARG = numeric, FUNCTION = public.trap_divide)",
                    "+ (LEFTARG = bigint, RIGHTARG = int, FUNCTION = public.trap_plus)",
                    "> (LEFTARG = bigint, RIGHTARG = int, FUNCTION = public.trap_less)",
                    "= (LEFTARG = name, RIGHTARG = text, FUNCTION = public.trap_is)",
                    "= (LEFTARG = text, RIGHTARG = name, FUNCTION = public.trap_is)");

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @BeforeEach
    void makeRole() throws SQLException {
        database.run("CREATE ROLE mallory");
    }

    @AfterEach
    void dropRole() throws SQLException {
        database.run("DROP OWNED BY mallory CASCADE; DROP ROLE mallory");
    }

    private void setTraps() throws SQLException {
        database.run("GRANT CREATE ON SCHEMA public TO mallory");
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("SET ROLE mallory");
            for (String trap : TRAPS) {
                sql.execute(
                        "CREATE "
                                + trap
                                + " LANGUAGE plpgsql AS"
                                + " $$ BEGIN RAISE EXCEPTION 'a trap of mallory''s'; END $$");
            }
            for (String operator : OPERATORS) {
                sql.execute("CREATE OPERATOR public." + operator);
            }
        }
    }

    @Test
    void noNameMeansWhatOthersMadeOfIt() throws Exception {
        setTraps();
        try (Slipring slipring = Slipring.open(database.url());
                Connection connection = database.connect()) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(2));
            ring.pushAll(List.of(Message.of("a").key("k"), Message.of("b").key("l")));
            ring.push("c");
            ring.stage().pause();
            ring.stage().resume();
            ring.addStage(StageSpec.named("late").tries(1), Set.of("main"), Start.OLDEST);
            ring.resize(2_000_000, 1 << 30);
            Claim claim = ring.stage("main").claim(1, Duration.ofSeconds(20));
            claim.extend();
            connection.setAutoCommit(false);
            ring.join(connection).push(Message.of("d").key("m"));
            ring.join(connection).done(claim);
            connection.commit();
            ring.stage("main").drain(delivery -> {});
            Claim late = ring.stage("late").claim(1, Duration.ofSeconds(20));
            late.fail(late.deliveries().get(0), "no");
            assertThat(ring.stage("late").retryAllDead()).isEqualTo(1);
            ring.stage("late").drain(delivery -> {});
            ring.stage("late").rewind(Start.OLDEST);
            assertThat(ring.info().storeBytes()).isPositive();
            assertThat(ring.check()).isEmpty();
            assertThat(ring.purge()).isNotNegative();
            slipring.drop("r");
            assertThat(slipring.rings()).isEmpty();
        }
    }

    /**
     * The index of a table can run code of the table's owner in the session that analyzes the
     * table.
     */
    @Test
    void whoAnalyzesATableLendsItsOwnerNoRights() throws SQLException {
        Ring secret = database.slipring().create(RingSpec.named("secret"));
        database.slipring().create(RingSpec.named("open"));
        secret.push("payroll");
        long id = database.number("SELECT id FROM slipring.ring WHERE name = 'secret'");
        database.run("SELECT slipring.permit('open', 'mallory', 'produce')");
        database.run("GRANT CREATE ON SCHEMA public TO mallory");
        for (String attack :
                List.of(
                        "slipring.permit('secret', 'mallory', 'operate')",
                        "slipring.push('secret', 'forged'::text)",
                        "slipring.tidy('secret')",
                        "slipring.push_" + id + "(0, 1, 'x', 0, 0)",
                        "slipring.take_" + id + "('main', 1, 'w', -1, -1, 0, true)")) {
            database.run("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA slipring TO mallory");
            database.run(
                    "CREATE FUNCTION public.attack(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS"
                            + " $$ BEGIN IF session_user <> 'mallory' AND"
                            + " current_setting('role') = 'none' THEN PERFORM "
                            + attack
                            + "; END IF; RETURN $1; END $$;"
                            + "SET ROLE mallory; CREATE TABLE public.bait (a int);"
                            + " INSERT INTO bait SELECT generate_series(1, 9);"
                            + " CREATE INDEX ON bait (public.attack(a))");
            assertThatThrownBy(() -> database.run("ANALYZE public.bait"))
                    .as(attack)
                    .hasMessageContaining("within security-restricted operation");
            database.run("DROP TABLE public.bait; DROP FUNCTION public.attack");
        }
        assertThat(secret.info().pushed()).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM slipring.permit")).isEqualTo(1);
    }

    /**
     * A schema of that name that belongs to somebody else is not used: its functions would run with
     * the rights of users that take them for Slipring's.
     */
    @Test
    void aSchemaOfSomebodyElsesIsNotUsed() throws SQLException {
        database.run(
                "CREATE SCHEMA slipring AUTHORIZATION mallory; SET ROLE mallory;"
                        + " CREATE FUNCTION slipring.trap() RETURNS int LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'a trap'; END $$;"
                        + " CREATE VIEW slipring.schema AS SELECT slipring.trap() AS version;"
                        + " GRANT USAGE ON SCHEMA slipring TO PUBLIC;"
                        + " GRANT SELECT ON slipring.schema TO PUBLIC; RESET ROLE;"
                        + " CREATE ROLE victim LOGIN");
        try {
            String url = database.url().replace("postgres@", "victim@");
            assertThat(url).contains("victim");
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("'slipring' belongs to role 'mallory'")
                    .hasMessageNotContaining("a trap");
        } finally {
            database.run("DROP ROLE victim");
        }
    }

    /** The script runs with the rights of the person who runs it. */
    @Test
    void theScriptIsRunByAPerson() throws SQLException {
        String fresh = Server.newDatabase();
        try (Connection person = Server.connect(fresh);
                Statement sql = person.createStatement()) {
            sql.execute("GRANT CREATE ON SCHEMA public TO mallory; SET ROLE mallory");
            for (String trap :
                    List.of(
                            "format(text, int, int) RETURNS text",
                            "array_position(text[], text) RETURNS int",
                            "getdatabaseencoding() RETURNS text")) {
                sql.execute(
                        "CREATE FUNCTION public."
                                + trap
                                + " LANGUAGE plpgsql IMMUTABLE AS"
                                + " $$ BEGIN RAISE EXCEPTION 'a trap'; END $$");
            }
            sql.execute("RESET ROLE");
            for (String script : PostgresSchema.scripts()) {
                sql.execute(script);
            }
            sql.execute("SELECT slipring.create('r'); SELECT slipring.push('r', 'x'::text)");
            sql.execute("SELECT slipring.done(claim) FROM slipring.claim('r')");
        } finally {
            Server.drop(fresh);
        }
    }

    /**
     * Two permits at the same time both succeed, although PostgreSQL refuses two grants on one
     * function at a time.
     */
    @Test
    void twoPermitsAtATime() throws Exception {
        database.slipring().create(RingSpec.named("r"));
        try (Connection first = database.connect();
                Statement sql = first.createStatement()) {
            first.setAutoCommit(false);
            sql.execute("SELECT slipring.permit('r', 'mallory', 'produce')");
            CompletableFuture<Void> second =
                    CompletableFuture.runAsync(
                            () ->
                                    assertThatCode(
                                                    () ->
                                                            database.run(
                                                                    "SELECT slipring.permit('r',"
                                                                        + " 'mallory', 'consume')"))
                                            .doesNotThrowAnyException());
            database.awaitWaiting(1, "true", second);
            first.commit();
            second.get(20, TimeUnit.SECONDS);
        }
        assertThat(database.number("SELECT count(*) FROM slipring.permit")).isEqualTo(2);
    }

    /**
     * A role that may produce may call the function that checks its arguments, and no function
     * behind it.
     */
    @Test
    void aPermitIsForWhatChecks() throws SQLException {
        database.slipring().create(RingSpec.named("r"));
        database.run("SELECT slipring.permit('r', 'mallory', 'produce')");
        database.run("SET ROLE mallory; SELECT slipring.push('r', 'fine'::text)");
        assertThatThrownBy(
                        () ->
                                database.run(
                                        "SET ROLE mallory; SELECT"
                                                + " slipring.push_{ring}(0, 5, 'x'::bytea, 0, 0)"))
                .hasMessageContaining("permission denied");
        assertThat(
                        database.number(
                                "SELECT count(*) FROM pg_proc p WHERE p.pronamespace ="
                                    + " 'slipring'::regnamespace AND p.proname ~ '_' AND p.proname"
                                    + " NOT IN ('push_all', 'give_back', 'dead_retry', 'dead_drop')"
                                    + " AND has_function_privilege('mallory', p.oid, 'EXECUTE')"))
                .isZero();
        database.run("SELECT slipring.forbid('r', 'mallory', 'produce')");
        assertThatThrownBy(
                        () ->
                                database.run(
                                        "SET ROLE mallory;"
                                                + " SELECT slipring.push('r', 'late'::text)"))
                .hasMessageContaining("'mallory' may not produce on ring 'r'")
                .hasMessageContaining("SELECT slipring.permit('r', 'mallory', 'produce')");
        assertThatThrownBy(() -> database.run("SELECT slipring.forbid('r', 'mallory', 'produce')"))
                .hasMessageContaining("had no permit");
    }
}
