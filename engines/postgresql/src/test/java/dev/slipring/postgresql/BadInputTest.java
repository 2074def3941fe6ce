// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.Workers;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Wrong input is refused with words that say what is wrong and what to do. */
class BadInputTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @ParameterizedTest
    @ValueSource(strings = {"SQL_ASCII", "LATIN1"})
    void aDatabaseThatIsNotUtf8(String encoding) throws SQLException {
        String name = "other_" + encoding.toLowerCase(java.util.Locale.ROOT);
        database.run("DROP DATABASE IF EXISTS " + name);
        database.run(
                "CREATE DATABASE "
                        + name
                        + " TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ENCODING '"
                        + encoding
                        + "'");
        String other = database.url().substring(0, database.url().lastIndexOf('/') + 1) + name;
        try {
            // A user that only looks at the schema is told, too, and not that an upgrade is
            // possible.
            for (Options options :
                    List.of(Options.url(other), Options.url(other).withoutMigration())) {
                assertThatThrownBy(() -> Slipring.open(options))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("keeps text as " + encoding)
                        .hasMessageContaining("ENCODING 'UTF8'");
            }
            try (Connection connection = Server.connect(other);
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute(PostgresSchema.scripts().get(0)))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("ENCODING 'UTF8'");
            }
        } finally {
            database.run("DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    @Test
    void aRoleWithoutRights() throws SQLException {
        String role = "nobody_" + database.name();
        try (Slipring slipring = Slipring.open(database.url())) {
            slipring.create(RingSpec.named("r")).push("x");
        }
        database.run("CREATE ROLE " + role + " LOGIN");
        String theirs = database.url().replace("postgres@", role + "@");
        try {
            assertThatThrownBy(
                            () -> {
                                try (Slipring slipring = Slipring.open(theirs)) {
                                    slipring.ring("r").push("refused");
                                }
                            })
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("this role is no member of it");
            database.run("GRANT USAGE ON SCHEMA slipring TO " + role);
            assertThatThrownBy(
                            () -> {
                                try (Slipring slipring =
                                        Slipring.open(Options.url(theirs).withoutMigration())) {
                                    slipring.ring("r").push("refused");
                                }
                            })
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("this role is no member of it");
        } finally {
            database.run("DROP OWNED BY " + role);
            database.run("DROP ROLE " + role);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void aPushThatDoesNotSayHowManyMessages(String isolation) throws SQLException {
        Ring ring = database.ring(1);
        String push = database.of("SELECT slipring.push_{ring}(0, NULL, 'x', 0, 0)");
        try (Statement statement = database.other().createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL " + isolation);
            assertThatThrownBy(() -> statement.execute(push))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("null value");
            statement.execute("ROLLBACK");
        }
        ring.push("y");
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void slotsTogetherWithoutALane() throws SQLException {
        Ring ring = database.ring(2);
        String slot = "slipring.slot_of(ARRAY['x'::bytea], NULL, NULL)";
        String push =
                "SELECT slipring.push_slots('r', NULL, ARRAY[0, -1], ARRAY[1, 1], ARRAY[%s, %s], 7,"
                        + " 1)";
        try (Statement statement = database.other().createStatement()) {
            assertThatThrownBy(() -> statement.execute(push.formatted(slot, slot)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("each name their lane");
        }
        assertThat(ring.info().pushed()).isZero();
    }

    /** The ring is named, and does not stand in the way of another one. */
    @Test
    void aRingWithoutItsStages() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url());
                Connection owner = Server.connect(database.url());
                Statement sql = owner.createStatement()) {
            slipring.create(RingSpec.named("r").graph(FanOut.to("a").then("b")));
            assertThat(sql.executeUpdate("DELETE FROM slipring.stage WHERE name = 'a'")).isOne();
            assertThatThrownBy(() -> slipring.create(RingSpec.named("r")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("ring 'r' is broken: ");
            slipring.drop("r");
            slipring.create(RingSpec.named("r")).push("x");
        }
    }

    /**
     * The ring is dropped after the claim has looked for its functions, and before one of them
     * answers.
     */
    @Test
    void aRingDroppedUnderAClaim() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url());
                Connection owner = Server.connect(database.url());
                Statement sql = owner.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            Stage main = ring.stage();
            ring.push("x");
            assertThat(main.claim(1, Duration.ZERO).isEmpty()).isFalse();
            sql.execute("DELETE FROM slipring.ring");
            assertThatThrownBy(() -> main.claim(1, Duration.ZERO)).isInstanceOf(NoSuchRing.class);
        }
    }

    @Test
    void aRingDroppedUnderARunningWorker() throws Exception {
        BlockingQueue<SlipringException> told = new LinkedBlockingQueue<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException failure) {
                        told.add(failure);
                    }
                };
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (Slipring slipring = Slipring.open(Options.url(database.url()).listener(listener));
                Slipring other = Slipring.open(database.url())) {
            Ring ring = slipring.create(RingSpec.named("r"));
            Workers workers = ring.stage().work(2, delivery -> seen.add(delivery.text()));
            ring.push("x");
            assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("x");
            other.drop("r");
            SlipringException said = told.poll(30, TimeUnit.SECONDS);
            assertThat(said).isNotNull();
            while (!said.getMessage().contains("is gone")) {
                // A statement of the worker was on its way when the tables were dropped.
                assertThat(said.getMessage()).contains("met another one");
                said = told.poll(30, TimeUnit.SECONDS);
                assertThat(said).isNotNull();
            }
            assertThatThrownBy(() -> ring.push("y"))
                    .isInstanceOf(NoSuchRing.class)
                    .hasMessageContaining("'r'");
            workers.close();
            // A ring with the same name is another ring.
            Ring young = other.create(RingSpec.named("r"));
            young.push("z");
            try (Workers again = young.stage().work(1, delivery -> seen.add(delivery.text()))) {
                assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("z");
            }
            assertThat(young.check()).isEmpty();
        }
    }

    @Test
    void aMessageOfTwoHundredMegabytes() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url())) {
            Ring ring = slipring.create(RingSpec.named("r").bytes(1L << 30));
            database.run("SELECT 1");
            assertThatThrownBy(
                            () -> database.run("SELECT slipring.push('r', repeat('x', 200000000))"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("larger than");
            assertThat(ring.info().pushed()).isZero();
            Message large = Message.of(new byte[65 << 20]);
            assertThatThrownBy(() -> ring.push(large))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("larger than");
            assertThat(ring.info().pushed()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void namesOfSixtyFourBytes() throws SQLException {
        String name = "r".repeat(64);
        try (Slipring slipring = Slipring.open(database.url())) {
            assertThatThrownBy(() -> RingSpec.named(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use 1 to 63");
            assertThatThrownBy(() -> database.run("SELECT slipring.create('" + name + "')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("use 1 to 63");
            assertThat(slipring.rings()).isEmpty();
            // A name that is one letter shorter is allowed, and its last letter counts.
            String stage = "s".repeat(63);
            List<String> names = List.of("r".repeat(62) + "1", "r".repeat(62) + "2");
            for (String longest : names) {
                Ring ring = slipring.create(RingSpec.named(longest).graph(StageSpec.named(stage)));
                ring.push(longest);
                database.run("SELECT slipring.push('" + longest + "', 'sql')");
            }
            for (String longest : names) {
                Ring ring = slipring.ring(longest);
                try (var claim = ring.stage(stage).claim(9, Duration.ofSeconds(5))) {
                    assertThat(claim.deliveries()).isNotEmpty();
                }
                assertThat(ring.info().pushed()).isEqualTo(2);
                assertThat(ring.check()).isEmpty();
                slipring.drop(longest);
            }
        }
    }
}
