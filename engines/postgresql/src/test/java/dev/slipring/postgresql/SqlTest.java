// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What people do at psql, and what they must not be able to do. */
class SqlTest {

    private static final List<String> HOSTILE =
            List.of(
                    "x'; DROP SCHEMA slipring CASCADE; --",
                    "x\" (",
                    "$$; SELECT 1",
                    "%I %s",
                    "a/b/0/1/new",
                    "",
                    "n".repeat(64));

    /** No such ring, no such stage, a wrong argument, no such role; no fault in a statement. */
    private static final List<String> REFUSALS = List.of("SLR01", "SLR04", "SLR05", "42704");

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Connection psql;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(database.url());
        psql = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        psql.close();
        slipring.close();
    }

    private String text(String sql, String... values) throws SQLException {
        try (PreparedStatement statement = psql.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = psql.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whatIsPushedInSqlComesOutInJava() throws SQLException {
        run("SELECT slipring.create('orders')");
        run("SELECT slipring.push('orders', 'text', 'k', '{\"h\": \"v\"}')");
        run("SELECT slipring.push('orders', '{\"a\": 1}'::jsonb, 'k')");
        run("SELECT slipring.push('orders', '\\x00ff'::bytea, 'k')");
        Claim claim = slipring.ring("orders").stage().claim(9, Duration.ZERO);
        List<Delivery> got = claim.deliveries();
        assertThat(got).extracting(Delivery::key).containsOnly("k");
        assertThat(got.get(0).headers()).containsEntry("h", "v");
        assertThat(got.get(0).text()).isEqualTo("text");
        assertThat(got.get(1).text()).isEqualTo("{\"a\": 1}");
        assertThat(got.get(2).body()).containsExactly(0, 0xff);
        claim.done();
        assertThat(slipring.ring("orders").check()).isEmpty();
    }

    /**
     * A message with many headers is read quickly: a role that may push must not be able to keep
     * workers busy for hours.
     */
    @Test
    @Timeout(120)
    void manyHeadersAreReadAtOnce() throws SQLException {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            headers.put("header " + i, "value " + i);
        }
        byte[] body = {'x'};
        Ring ring = slipring.create(RingSpec.named("orders"));
        ring.push(Message.of(null, headers, body, 0, 1));
        String counts =
                "SELECT count(*) || ' ' || count(DISTINCT h.value) FROM slipring.claim('orders') c,"
                        + " jsonb_each_text(c.headers) h WHERE replace(h.key, 'header', 'value') ="
                        + " h.value";
        assertThat(text(counts)).isEqualTo("50000 50000");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 27, 127, 155})
    void aWorkersNameHasNoControlCharacters(int code) throws SQLException {
        run("SELECT slipring.create('orders')");
        assertThatThrownBy(
                        () -> run("SELECT slipring.claim('orders', worker => chr(" + code + "))"))
                .hasMessageContaining("is not allowed");
        run("SELECT slipring.claim('orders', worker => 'Zo' || chr(235))");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "standard_conforming_strings = off",
                "backslash_quote = off",
                "bytea_output = escape",
                "array_nulls = off",
                "transform_null_equals = on",
                "search_path = ''",
                "DateStyle = 'ISO, DMY'",
                "IntervalStyle = 'sql_standard'",
                "extra_float_digits = -15",
                "plpgsql.variable_conflict = 'use_column'",
                "plpgsql.extra_errors = 'all'",
                "from_collapse_limit = 1",
            })
    void aSessionMaySetWhatItLikes(String setting) throws SQLException {
        run("SET " + setting);
        run("SELECT slipring.create('orders', lanes => 1)");
        run("SELECT slipring.push('orders', 'plain')");
        run("SELECT slipring.push('orders', 'text', 'k', '{\"h\": \"v\"}')");
        run("SELECT slipring.push('orders', 'last')");
        String claim = text("SELECT claim FROM slipring.claim('orders', most => 1)");
        assertThat(text("SELECT slipring.done('" + claim + "')")).isEqualTo("0");
        List<Delivery> got = slipring.ring("orders").stage().claim(9, Duration.ZERO).deliveries();
        assertThat(got).extracting(Delivery::text).containsExactly("text", "last");
        assertThat(got.get(0).headers()).containsEntry("h", "v");
        assertThat(slipring.ring("orders").check()).isEmpty();
    }

    @Test
    void whatIsPushedInJavaComesOutInSql() throws SQLException {
        Ring ring = slipring.create(RingSpec.named("orders"));
        ring.push(Message.of("one").key("key").header("name", "value"));
        assertThat(text("SELECT body FROM slipring.messages('orders')")).isEqualTo("one");
        assertThat(text("SELECT headers ->> 'name' FROM slipring.messages('orders')"))
                .isEqualTo("value");
        String claim = text("SELECT claim FROM slipring.claim('orders')");
        run("SELECT slipring.extend('" + claim + "')");
        assertThat(text("SELECT slipring.done('" + claim + "')")).isEqualTo("0");
        assertThat(text("SELECT lag FROM slipring.info('orders')")).isEqualTo("0");
        assertThatThrownBy(() -> run("SELECT slipring.done('" + claim + "')"))
                .hasMessageContaining("is not in this worker's hand any more");
    }

    @Test
    void whatFailsTooOftenIsDeadUntilItIsRetried() throws SQLException {
        run("SELECT slipring.create('r', stages => '[{\"name\": \"s\", \"tries\": 1}]')");
        run("SELECT slipring.push('r', 'bad')");
        run(
                "SELECT slipring.fail(c.claim, c.position, 'it was bad')"
                        + " FROM slipring.claim('r') c");
        assertThat(text("SELECT error FROM slipring.dead('r')")).isEqualTo("it was bad");
        assertThat(text("SELECT slipring.dead_retry('r')")).isEqualTo("1");
        run("SELECT slipring.done(c.claim) FROM slipring.claim('r') c");
        assertThat(slipring.ring("r").drain(Duration.ZERO)).isTrue();
        assertThat(slipring.ring("r").check()).isEmpty();
    }

    @Test
    void aFailureMaySayNothingOrALot() throws SQLException {
        run("SELECT slipring.create('r', stages => '[{\"name\": \"s\", \"tries\": 1}]')");
        run("SELECT slipring.push_all('r', ARRAY['a', 'b'])");
        run("SELECT slipring.fail(c.claim, c.position, NULL) FROM slipring.claim('r') c");
        run(
                "SELECT slipring.fail(c.claim, c.position, repeat('x', 1000000))"
                        + " FROM slipring.claim('r') c");
        assertThat(text("SELECT string_agg(length(error)::text, ' ') FROM slipring.dead('r')"))
                .isEqualTo("0 2000");
        assertThat(slipring.ring("r").check()).isEmpty();
    }

    @Test
    void aGraphInSqlIsAGraphInJava() throws SQLException {
        run(
                "SELECT slipring.create('g', stages => '[{\"name\": \"a\"}, {\"name\": \"b\","
                        + " \"after\": [\"a\"], \"ordered\": true}]')");
        assertThat(slipring.ring("g").spec().stages().ancestors("b")).containsExactly("a");
        assertThatThrownBy(
                        () ->
                                run(
                                        "SELECT slipring.create('c', stages => '[{\"name\": \"a\","
                                                + " \"after\": [\"a\"]}]')"))
                .hasMessageContaining("in a circle");
        assertThat(slipring.rings()).containsExactly("g");
    }

    @Test
    void hostileNamesAreRefusedAndDoNothing() throws SQLException {
        run("SELECT slipring.create('r')");
        run("SELECT slipring.push('r', 'x')");
        for (String name : HOSTILE) {
            for (String call :
                    List.of(
                            "SELECT slipring.create(?)",
                            "SELECT slipring.push(?, 'x')",
                            "SELECT slipring.claim(?)",
                            "SELECT slipring.claim('r', ?)",
                            "SELECT slipring.done(?)",
                            "SELECT slipring.info(?)",
                            "SELECT slipring.messages(?)",
                            "SELECT slipring.dead('r', ?)",
                            "SELECT slipring.tidy(?)",
                            "SELECT slipring.permit('r', ?, 'produce')")) {
                assertThatThrownBy(() -> text(call, name))
                        .as(call + " of " + name)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isIn(REFUSALS));
            }
        }
        assertThat(text("SELECT body FROM slipring.messages('r')")).isEqualTo("x");
        assertThat(slipring.rings()).containsExactly("r");
    }

    @Test
    void wrongArgumentsAreRefused() throws SQLException {
        run("SELECT slipring.create('r')");
        for (String refused :
                List.of(
                        "SELECT slipring.claim('r', most => 0)",
                        "SELECT slipring.claim('r', most => NULL)",
                        "SELECT slipring.done('r/main/0/1/new', ARRAY[9223372036854775807])",
                        "SELECT slipring.fail('r/main/0/1/new', 9223372036854775807, 'x')",
                        "SELECT slipring.push('r', 'x'::text, headers => '{\"a\": [\"b\"]}')",
                        "SELECT slipring.push('r', 'x'::text, headers => '[]')",
                        "SELECT slipring.dead_retry('r', ids => ARRAY['x'])",
                        "SELECT slipring.dead_retry('r', ids => ARRAY['0-1', NULL])",
                        "SELECT slipring.dead_drop('r', ids => ARRAY['0'])",
                        "SELECT slipring.create('s', stages => '[{\"name\": \"a\", \"lease\":"
                                + " 1}]')")) {
            assertThatThrownBy(() -> run(refused))
                    .as(refused)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("SLR05"));
        }
    }

    @Test
    void rolesMayWhatTheyWerePermitted() throws SQLException {
        String role = database.name();
        run("SELECT slipring.create('mine'), slipring.create('other')");
        run("CREATE ROLE " + role);
        String mine = database.text("SELECT id FROM slipring.ring WHERE name = 'mine'");
        try {
            run("SELECT slipring.permit('mine', '" + role + "', 'produce')");
            run("SET ROLE " + role);
            run("SELECT slipring.push('mine', 'x'), slipring.tidy('mine')");
            run("SELECT slipring.push_all('mine', ARRAY['y', 'z'])");
            assertThatThrownBy(() -> run("SELECT slipring.push('none', 'x')"))
                    .hasMessageContaining("no ring 'none'; the rings are: mine")
                    .hasMessageNotContaining("other");
            for (String refused :
                    List.of(
                            "SELECT slipring.push('other', 'x')",
                            "SELECT slipring.claim('mine')",
                            "SELECT slipring.claim('other', '?')",
                            "SELECT slipring.tidy('other')",
                            "SELECT slipring.is_pushed_" + mine + "(7, 1)",
                            "SELECT slipring.messages('mine')",
                            "SELECT slipring.create('third')",
                            "SELECT slipring.permit('other', '" + role + "', 'produce')",
                            "SELECT * FROM slipring.ring",
                            "SELECT * FROM slipring.strand",
                            "SELECT slipring.drop_ring(" + mine + ")")) {
                assertThatThrownBy(() -> run(refused))
                        .as(refused)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("42501"));
            }
        } finally {
            run("RESET ROLE");
            run("DROP OWNED BY " + role);
            run("DROP ROLE " + role);
        }
    }

    @Test
    void nothingIsForThePublic() throws SQLException {
        assertThat(
                        text(
                                "SELECT string_agg(p.proname, ', ') FROM pg_proc p,"
                                        + " aclexplode(coalesce(p.proacl,"
                                        + " acldefault('f', p.proowner))) a WHERE a.grantee = 0"
                                        + " AND p.pronamespace = 'slipring'::regnamespace"))
                .isNull();
        assertThat(
                        text(
                                "SELECT string_agg(c.relname, ', ') FROM pg_class c,"
                                        + " aclexplode(c.relacl) a WHERE a.grantee = 0"
                                        + " AND c.relnamespace = 'slipring'::regnamespace"))
                .isNull();
    }

    /** A large push is stored as several slots, as a claim has to read a slot as a whole. */
    @Test
    void aLargePushIsSeveralSlots() throws SQLException {
        run("SELECT slipring.create('large')");
        run(
                "SELECT slipring.push_all('large', ARRAY(SELECT repeat('x', 2000000 + i) FROM"
                        + " generate_series(1, 9) i))");
        List<Integer> lengths = new ArrayList<>();
        while (lengths.size() < 9) {
            Claim claim = slipring.ring("large").stage().claim(9, Duration.ofSeconds(20));
            claim.deliveries().forEach(each -> lengths.add(each.text().length() - 2_000_000));
            claim.done();
        }
        assertThat(lengths).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(
                        database.number(
                                database.of(
                                        "SELECT count(*) FROM slipring.slot_{ring}_0"
                                                + " WHERE NOT rest")))
                .isEqualTo(4);
    }

    /**
     * A large push goes into a lane that no other transaction keeps, and so do the pushes after it.
     */
    @Test
    void aLargePushWaitsForNoLane() throws SQLException {
        slipring.create(RingSpec.named("r").lanes(2));
        String large = "SELECT slipring.push_all('r', array_fill(repeat('x', 1000000), ARRAY[9]))";
        try (Connection other = database.connect();
                Statement before = other.createStatement();
                Statement statement = psql.createStatement()) {
            other.setAutoCommit(false);
            before.execute("SELECT slipring.push('r', 'small')");
            psql.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '10s'");
            for (int i = 0; i < 5; i++) {
                statement.execute(large);
                statement.execute("SELECT slipring.push('r', 'small')");
            }
            psql.commit();
            other.rollback();
        }
        String lanes = "SELECT count(DISTINCT lane) FROM slipring.slot_{ring}_0";
        assertThat(database.number(lanes)).isEqualTo(1);
    }
}
