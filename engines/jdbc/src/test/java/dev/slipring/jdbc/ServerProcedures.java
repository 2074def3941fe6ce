// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The procedures on a server do what the ledger does, and everything works without them, too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerProcedures {

    private static final List<String> NAMES =
            List.of("push", "claim", "move", "lowest", "empty", "extent", "extend");

    @RegisterExtension private final RunningServer server;

    ServerProcedures(ServerFiles files) {
        server = new RunningServer(files);
    }

    /** Usually each operation is one call, and nothing else. */
    @Test
    void theUsualWayIsACall() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("calls"));
            ring.push("the first is told the shape");
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            long calls = server.get().status("Com_call_procedure");
            long begun = server.get().status("Com_begin");
            for (int i = 0; i < 10; i++) {
                ring.pushAll(messages(new Random(i), 3, i * 1_000));
                claim = claim.doneAndNext(10, Duration.ZERO);
            }
            claim.done();
            // 10 pushes and 11 claims; within them, each word calls two more procedures, and each
            // look one.
            assertThat(server.get().status("Com_call_procedure") - calls)
                    .isGreaterThanOrEqualTo(21);
            // Transactions are begun inside the calls, and nowhere else.
            assertThat(server.get().status("Com_begin") - begun).isEqualTo(21);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** Without procedures everything works, too, and results in the same rows. */
    @Test
    void withAndWithoutThemTheRowsAreTheSame() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            String with = server.get().newDatabase();
            String without = server.get().newDatabase();
            List<String> one = run(with, seed, false);
            List<String> other = run(without, seed, true);
            assertThat(one).as("what was seen, seed " + seed).isEqualTo(other);
            assertThat(rows(with)).as("the rows, seed " + seed).isEqualTo(rows(without));
        }
    }

    private static List<Message> messages(Random random, int count, int size) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] body = new byte[size];
            random.nextBytes(body);
            messages.add(Message.of(body));
        }
        return messages;
    }

    /** Random pushes, claims and words; returns what was seen. */
    private List<String> run(String database, long seed, boolean without) throws Exception {
        Random random = new Random(seed);
        List<String> seen = new ArrayList<>();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            server.get().run("UPDATE " + database + ".slipring_id SET next = 0");
            if (without) {
                NAMES.forEach(
                        name ->
                                server.get()
                                        .run("DROP PROCEDURE " + database + ".slipring_" + name));
            }
            Duration lease = Duration.ofHours(1);
            StageSpec first =
                    StageSpec.named("first").lease(lease).backoff(Duration.ZERO, Duration.ZERO);
            StageSpec second = StageSpec.named("second").lease(lease);
            Ring ring =
                    slipring.create(
                            RingSpec.named("same")
                                    .lanes(2)
                                    .messages(2_000)
                                    .graph((seed % 2 == 0 ? first : first.ordered()).then(second)));
            List<Claim> claims = new ArrayList<>();
            for (int step = 0; step < 250; step++) {
                switch (random.nextInt(5)) {
                    case 0, 1 -> push(slipring, random, step, seed);
                    case 2 -> claims.add(ring.stage("first").claim(most(random), Duration.ZERO));
                    case 3 -> claims.add(ring.stage("second").claim(most(random), Duration.ZERO));
                    default -> say(random, claims);
                }
                if (!claims.isEmpty()) {
                    seen.add(words(claims.get(claims.size() - 1)));
                }
            }
            assertThat(ring.check()).isEmpty();
        }
        return seen;
    }

    private static int most(Random random) {
        return 1 + random.nextInt(40);
    }

    /** Pushes to both lanes; with later seeds to one, on which the process then works alone. */
    private static void push(Slipring slipring, Random random, int step, long seed) {
        int count = 1 + random.nextInt(30);
        List<Message> messages = messages(random, count, random.nextInt(300));
        int lane = seed <= 6 ? random.nextInt(2) : 0;
        slipring.store()
                .push(
                        "same",
                        List.of(new Slot(lane, 7, step + 1, count, SlotCodec.encode(messages))));
    }

    private static void say(Random random, List<Claim> claims) {
        if (claims.isEmpty()) {
            return;
        }
        Claim claim = claims.remove(random.nextInt(claims.size()));
        if (claim.isEmpty()) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> claim.fail(claim.deliveries().get(0), "no", Duration.ofHours(1));
            case 1 -> claim.giveBack();
            case 2, 3 -> claims.add(claim.doneAndNext(most(random), Duration.ZERO));
            default -> claim.done();
        }
    }

    private static String words(Claim claim) {
        StringBuilder words = new StringBuilder();
        for (Delivery delivery : claim.deliveries()) {
            words.append(delivery.id()).append(' ').append(delivery.attempt()).append(' ');
            words.append(Arrays.hashCode(delivery.body())).append(';');
        }
        return words.toString();
    }

    /** All rows, without their times. */
    private List<String> rows(String database) throws SQLException {
        List<String> rows = new ArrayList<>();
        for (String query :
                List.of(
                        "SELECT lane, head, turn, bytes, extents FROM slipring_lane ORDER BY 1",
                        "SELECT lane, gate, first_position, turn, bytes FROM slipring_gate"
                                + " ORDER BY 1",
                        "SELECT lane, stage, started, claimed, done, high, last_epoch, waiting,"
                                + " dead, dropped, kept_bytes, redelivered, failed,"
                                + " anchor_turn, REGEXP_REPLACE(claims, ' [0-9]{13} ', ' T ') FROM"
                                + " slipring_strand ORDER BY 1, 2",
                        "SELECT lane, cell, turn, first_position, messages, producer, number, size,"
                                + " pieces, HEX(body) FROM slipring_slot ORDER BY 1, 2",
                        "SELECT lane, turn, piece, SHA2(data, 256) FROM slipring_content_0 ORDER BY"
                                + " 1, 2",
                        "SELECT lane, turn, piece, SHA2(data, 256) FROM slipring_content_3 ORDER BY"
                                + " 1, 2",
                        "SELECT producer, number FROM slipring_producer ORDER BY 1")) {
            rows.addAll(rows(database, query));
        }
        return rows;
    }

    private List<String> rows(String database, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                StringBuilder words = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    words.append(row.getString(i)).append(' ');
                }
                rows.add(words.toString());
            }
        }
        return rows;
    }

    /** A large body is sent in another way; texts beside it come through unchanged. */
    @Test
    void aLargeBodyAndTextsOfAllLanguagesStayAsTheyAre() throws Exception {
        byte[] body = new byte[100_000];
        new Random(5).nextBytes(body);
        String error = "größer als 東京 \\ 'zitiert' \uD83D\uDE00";
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("texts").graph(StageSpec.named("main").tries(1)));
            for (int i = 0; i < 3; i++) {
                ring.push(Message.of(body).header("größe", error));
                Claim claim = ring.stage().claim(1, Duration.ZERO);
                assertThat(claim.deliveries().get(0).body()).isEqualTo(body);
                claim.fail(claim.deliveries().get(0), error, Duration.ZERO);
            }
            assertThat(ring.stage().deadLetters(9))
                    .hasSize(3)
                    .allSatisfy(
                            dead -> {
                                assertThat(dead.error()).isEqualTo(error);
                                assertThat(dead.delivery().body()).isEqualTo(body);
                            });
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A ring with more lanes than a call can take is emptied by statements. */
    @Test
    void manyLanesAreClaimedFromWithoutTheCall() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring = slipring.create(RingSpec.named("wide").lanes(70).messages(10_000));
            for (int lane = 0; lane < 70; lane++) {
                slipring.store()
                        .push(
                                "wide",
                                List.of(
                                        new Slot(
                                                lane,
                                                9,
                                                lane + 1,
                                                1,
                                                SlotCodec.encode(
                                                        messages(new Random(lane), 1, 9)))));
            }
            int claimed = 0;
            Claim claim = ring.stage().claim(9, Duration.ZERO);
            for (; !claim.isEmpty(); claim = claim.doneAndNext(9, Duration.ZERO)) {
                claimed += claim.deliveries().size();
            }
            assertThat(claimed).isEqualTo(70);
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A word after the lease is refused, by the call as by the ledger. */
    @Test
    void aLateWordIsRefused() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("late")
                                    .graph(StageSpec.named("main").lease(Duration.ofMillis(300))));
            ring.push("late");
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            Claim again = ring.stage().claim(1, Duration.ofSeconds(20));
            assertThat(again.deliveries().get(0).attempt()).isEqualTo(2);
            assertThatThrownBy(claim::done).isInstanceOf(Fenced.class);
        }
    }

    /** Line by line, a procedure would take long for each word if there are many claims. */
    @Test
    void aWordAmongManyClaimsIsLeftToTheLedger() {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofHours(1));
            Ring ring = slipring.create(RingSpec.named("many").lanes(1).graph(stage));
            ring.pushAll(messages(new Random(1), 300, 9));
            Store store = slipring.store();
            Procedures procedures = new Procedures(((JdbcStore) store).transactor());
            List<Settlement> words = new ArrayList<>();
            while (words.size() < 300) {
                Ticket ticket = store.claim("many", new ClaimRequest("main", 1, "w")).ticket();
                words.add(new Settlement(ticket, List.of(), List.of(), Settlement.Rest.DONE));
            }
            assertThat(isTaken(procedures, words.get(299))).isFalse();
            for (Settlement word : words.subList(30, 300)) {
                store.settle("many", word);
            }
            for (Settlement word : words.subList(0, 30)) {
                assertThat(isTaken(procedures, word)).isTrue();
            }
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    private static boolean isTaken(Procedures procedures, Settlement word) {
        ClaimRequest request = new ClaimRequest("main", 1, "", word);
        return new ClaimCall(procedures, procedures.shape("many"), request).settle() != null;
    }

    /** Whoever makes them by hand may have a session in which a backslash is no escape. */
    @Test
    void theModeOfWhoMakesThemDoesNotMatter() throws Exception {
        String database = server.get().newDatabase();
        // A process that has not pushed has the server do everything.
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Slipring worker = Slipring.open(server.get().url(database))) {
            for (boolean withMode : new boolean[] {false, true}) {
                makeAnew(database, slipring.schema().scripts(), withMode);
                Ring ring = slipring.create(RingSpec.named("made" + withMode).lanes(1));
                ring.pushAll(messages(new Random(1), 9, 9));
                List<Claim> claims = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    claims.add(worker.ring(ring.name()).stage().claim(2, Duration.ZERO));
                }
                claims.get(1).done();
                assertThat(claims.get(0).doneAndNext(9, Duration.ZERO).deliveries()).hasSize(3);
                claims.get(2).done();
                assertThat(ring.check()).isEmpty();
            }
        }
    }

    private void makeAnew(String database, List<String> scripts, boolean withMode)
            throws SQLException {
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'");
            for (String script : scripts) {
                for (String sql : MySqlMigration.statements(script)) {
                    if (withMode || !sql.startsWith("SET SESSION sql_mode")) {
                        statement.execute(sql);
                    }
                }
            }
            try (ResultSet row = statement.executeQuery("SELECT @@sql_mode")) {
                row.next();
                assertThat(row.getString(1).contains("NO_BACKSLASH_ESCAPES"))
                        .isNotEqualTo(withMode);
            }
        }
    }

    /** A process that found no procedures asks again after a while. */
    @Test
    void whatIsMadeAnewIsUsedAgain() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            slipring.create(RingSpec.named("again").lanes(1)).push("the first is told the shape");
            AtomicLong seconds = new AtomicLong();
            Procedures procedures =
                    new Procedures(
                            ((JdbcStore) slipring.store()).transactor(),
                            () -> TimeUnit.SECONDS.toNanos(seconds.get()));
            assertThat(isCalled(procedures)).isTrue();
            server.get().run("DROP PROCEDURE " + database + ".slipring_push");
            assertThat(isCalled(procedures)).isFalse();
            seconds.addAndGet(31);
            assertThat(procedures.shape("again")).isNotNull();
            assertThat(isCalled(procedures)).isFalse();
            makeAnew(database, slipring.schema().scripts(), true);
            seconds.addAndGet(29);
            assertThat(procedures.shape("again")).isNull();
            seconds.addAndGet(2);
            assertThat(isCalled(procedures)).isTrue();
            assertThat(slipring.ring("again").check()).isEmpty();
        }
    }

    private static boolean isCalled(Procedures procedures) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        Shape shape = procedures.shape("again");
        return shape != null && new PushCall(procedures, shape, new Slot(0, 0, 0, 1, body)).push();
    }
}
