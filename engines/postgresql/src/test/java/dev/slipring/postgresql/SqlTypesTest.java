// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What drivers of other languages send: parameters of a type, or of none. */
class SqlTypesTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @BeforeEach
    void create() {
        database.ring(1);
    }

    /** Psycopg, node-postgres and others send a list of texts as {a,b}, and say no type. */
    @Test
    void aListOfNoTypeIsNotOneMessage() throws SQLException {
        refused("42725", () -> untyped("SELECT slipring.push_all('r', ?)", "{a,b}"));
        assertThat(taken()).isEmpty();
        untyped("SELECT slipring.push_all('r', ?::text[])", "{a,b}");
        assertThat(taken()).containsExactly("a", "b");
        untyped("SELECT slipring.push_all('r', ?::jsonb[])", "{7,\"{\\\"n\\\":1.50}\"}");
        assertThat(taken()).containsExactly("7", "{\"n\": 1.50}");
        untyped("SELECT slipring.push_all('r', ?::bytea[])", "{\"\\\\x6100\",\"\"}");
        assertThat(taken()).containsExactly("a\0", "");
        refused("42883", () -> database.run("SELECT slipring.push('r', ARRAY['a', 'b'])"));
    }

    /** As text where nothing else is said, in whatever form the driver writes it. */
    @Test
    void aMessageOfNoTypeIsText() throws SQLException {
        untyped("SELECT slipring.push('r', ?)", "\\x61");
        untyped("SELECT slipring.push('r', ?::bytea)", "\\x61");
        untyped("SELECT slipring.push('r', ?::jsonb)", "{\"b\":1.50,\"a\":\"🎡\"}");
        assertThat(taken()).containsExactly("\\x61", "a", "{\"a\": \"🎡\", \"b\": 1.50}");
    }

    @Test
    void manyMessagesShareAKeyAndHeaders() throws SQLException {
        database.run(
                "SELECT slipring.push_all('r', ARRAY['a', '', '🎡'], key => 'k',"
                        + " headers => '{\"é\": \"\\n\", \"n\": 1.50}')");
        Claim claim = claim();
        assertThat(claim.deliveries()).extracting(Delivery::text).containsExactly("a", "", "🎡");
        assertThat(claim.deliveries())
                .allSatisfy(each -> assertThat(each.key()).isEqualTo("k"))
                .allSatisfy(
                        each ->
                                assertThat(each.headers())
                                        .isEqualTo(Map.of("é", "\n", "n", "1.50")));
        claim.done();
    }

    /** The headers of each message count, as a claim has to read a slot as a whole. */
    @Test
    void largeHeadersMakeSeveralSlots() throws SQLException {
        database.run(
                "SELECT slipring.push_all('r', array_fill(''::text, ARRAY[9]), headers =>"
                        + " jsonb_build_object('h', repeat('x', 2000000)))");
        String slots = "SELECT count(*) FROM slipring.slot_{ring}_0 WHERE NOT rest";
        assertThat(database.number(database.of(slots))).isGreaterThan(3);
        assertThat(taken()).hasSize(9);
    }

    @Test
    void aListIsAPlainListOfMessages() throws SQLException {
        for (String refused :
                List.of(
                        "ARRAY[['a', 'b'], ['c', 'd']]",
                        "ARRAY[ARRAY['[1]'::jsonb], ARRAY['[2]'::jsonb]]",
                        "ARRAY[ARRAY['a'::bytea], ARRAY['b'::bytea]]",
                        "'{}'::text[]",
                        "NULL::bytea[]",
                        "ARRAY['a', NULL]")) {
            refused("SLR05", () -> database.run("SELECT slipring.push_all('r', " + refused + ")"));
        }
        assertThat(taken()).isEmpty();
    }

    private void untyped(String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = database.other().prepareStatement(sql)) {
            statement.setObject(1, parameter, Types.OTHER);
            statement.execute();
        }
    }

    private static void refused(String state, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
    }

    private Claim claim() {
        return database.slipring().ring("r").stage().claim(100, Duration.ZERO);
    }

    /** The bodies of everything that is there to claim, in the order of the pushes. */
    private List<String> taken() {
        List<String> bodies = new ArrayList<>();
        for (Claim claim = claim(); !claim.isEmpty(); claim = claim()) {
            claim.deliveries().forEach(each -> bodies.add(each.text()));
            claim.done();
        }
        return bodies;
    }
}
