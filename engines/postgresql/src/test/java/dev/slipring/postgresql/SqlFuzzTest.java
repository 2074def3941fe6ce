// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** The functions for people do what they should or refuse in words, whatever their arguments. */
class SqlFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 3_000);

    /**
     * The errors that the documentation names, and those for a name that is taken and a role that
     * does not exist.
     */
    private static final Set<String> REFUSALS =
            Set.of("SLR01", "SLR02", "SLR03", "SLR04", "SLR05", "42710", "42704");

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void everyCallIsDoneOrRefusedInWords() throws SQLException {
        int done = 0;
        int refused = 0;
        Map<String, String> broken = new TreeMap<>();
        try (Slipring slipring = Slipring.open(database.url());
                Connection psql = database.connect()) {
            List.of("1", "2", "3").forEach(slipring.create(RingSpec.named("safe"))::push);
            slipring.create(RingSpec.named("r").lanes(2).messages(50));
            SqlNoise noise = new SqlNoise();
            for (long seed = 0; seed < SEEDS; seed++) {
                noise.begin(new Random(seed));
                try {
                    call(psql, noise);
                    done++;
                } catch (SQLException e) {
                    if (!REFUSALS.contains(e.getSQLState())) {
                        broken.putIfAbsent(
                                noise.function() + e.getSQLState(), words(seed, noise, e));
                    }
                    refused++;
                }
            }
            for (String ring : slipring.rings()) {
                assertThat(slipring.ring(ring).check()).as(ring).isEmpty();
            }
            assertThat(slipring.ring("safe").info().heldMessages()).isEqualTo(3);
        }
        assertThat(broken.values()).isEmpty();
        assertThat(done).isGreaterThan(SEEDS / 20);
        assertThat(refused).isGreaterThan(SEEDS / 20);
    }

    private static String words(long seed, SqlNoise noise, SQLException e) {
        return "seed " + seed + ": " + noise + ": " + e.getSQLState() + " " + e.getMessage();
    }

    private static void call(Connection psql, SqlNoise noise) throws SQLException {
        try (PreparedStatement statement = psql.prepareStatement(noise.sql())) {
            noise.bind(statement);
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                while (rows != null && rows.next()) {
                    noise.heard(rows);
                }
            }
        }
    }
}
