// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.Proxy;
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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Extensions of claims, each a call that nobody's lane waits for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerExtensions {

    @RegisterExtension private final RunningServer server;

    ServerExtensions(ServerFiles files) {
        server = new RunningServer(files);
    }

    private static Ring ring(Slipring slipring, Duration lease) {
        StageSpec stage = StageSpec.named("main").lease(lease);
        Ring ring = slipring.create(RingSpec.named("extended").lanes(1).graph(stage));
        ring.pushAll(IntStream.range(0, 200).mapToObj(i -> Message.of("m" + i)).toList());
        return ring;
    }

    /** By the ledger it takes two round trips, and the lane is kept between them. */
    @Test
    void anExtensionIsACall() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Claim claim = ring(slipring, Duration.ofHours(1)).stage().claim(9, Duration.ZERO);
            claim.extend();
            long calls = server.get().status("Com_call_procedure");
            long begun = server.get().status("Com_begin");
            for (int i = 0; i < 10; i++) {
                claim.extend();
            }
            assertThat(server.get().status("Com_call_procedure") - calls)
                    .isGreaterThanOrEqualTo(10);
            // Within the calls, and nowhere else.
            assertThat(server.get().status("Com_begin") - begun).isEqualTo(10);
        }
    }

    /** Also of a claim that is done in part, and with many others in hand. */
    @Test
    void theLeaseBeginsAnewAndNothingElseChanges() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = ring(slipring, Duration.ofHours(1));
            Random random = new Random(3);
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                claims.add(ring.stage().worker("wörker " + i).claim(3, Duration.ZERO));
            }
            claims.get(7).done(claims.get(7).deliveries().get(1));
            Collections.shuffle(claims, random);
            for (Claim claim : claims) {
                List<String> before = lines(database);
                claim.extend();
                assertThat(lines(database)).isEqualTo(before);
            }
            assertThat(ring.check()).isEmpty();
            claims.forEach(Claim::done);
            assertThat(ring.info().undone()).isNotEmpty();
            assertThat(ring.stage().claim(99, Duration.ZERO).deliveries()).hasSize(20);
        }
    }

    /** The claims without when they run out; the first of these times is in a column, too. */
    private List<String> lines(String database) throws SQLException {
        try (Connection connection = server.get().connect(database);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT claims, expires FROM slipring_strand")) {
            row.next();
            String[][] lines =
                    row.getString(1).lines().map(line -> line.split(" ")).toArray(String[][]::new);
            assertThat(Arrays.stream(lines).mapToLong(line -> Long.parseLong(line[4])).min())
                    .hasValue(row.getLong(2));
            return Arrays.stream(lines)
                    .peek(line -> line[4] = "T")
                    .map(line -> String.join(" ", line))
                    .toList();
        }
    }

    @Test
    void aClaimIsHeldForAsLongAsItIsExtended() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring = ring(slipring, Duration.ofSeconds(1));
            Claim claim = ring.stage().claim(200, Duration.ZERO);
            for (int i = 0; i < 12; i++) {
                Thread.sleep(200);
                claim.extend();
                assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isTrue();
            }
            Claim again = ring.stage().claim(1, Duration.ofSeconds(20));
            assertThat(again.isEmpty()).isFalse();
            assertThatThrownBy(claim::extend).isInstanceOf(Fenced.class);
            again.extend();
        }
    }

    /** Nobody else has it yet, but somebody may have seen that it has run out. */
    @Test
    void whatHasRunOutIsNotExtended() throws Exception {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring = ring(slipring, Duration.ofMillis(200));
            Claim claim = ring.stage().claim(9, Duration.ZERO);
            Thread.sleep(300);
            assertThatThrownBy(claim::extend).isInstanceOf(Fenced.class);
        }
    }

    /** As where a transaction has spoken of a claim in the lane: its end decides. */
    @Test
    void aLaneThatIsKeptIsLeftAloneOrWaitedFor() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database)) {
            ring(slipring, Duration.ofHours(1));
            Ticket ticket =
                    slipring.store().claim("extended", new ClaimRequest("main", 9, "w")).ticket();
            Settlement word = new Settlement(ticket, List.of(), List.of(), Settlement.Rest.EXTEND);
            assertThat(slipring.store().settle("extended", word)).isEqualTo(new Settled(9, 0));
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("UPDATE slipring_gate SET moves = moves + 1");
            }
            assertThat(slipring.store().trySettle("extended", word)).isEmpty();
            Thread end = new Thread(() -> commitSoon(other));
            end.start();
            assertThat(slipring.store().settle("extended", word)).isEqualTo(new Settled(9, 0));
            end.join();
            assertThat(slipring.store().trySettle("extended", word)).contains(new Settled(9, 0));
        }
    }

    private static void commitSoon(Connection connection) {
        try {
            Thread.sleep(300);
            connection.commit();
        } catch (InterruptedException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was asked may have happened, and may happen again. */
    @Test
    void anExtensionIsRepeatedWhereItsConnectionBreaks() throws Exception {
        for (Proxy.Cut when : Proxy.Cut.values()) {
            String database = server.get().newDatabase();
            try (Proxy proxy = new Proxy(server.get().port());
                    Slipring slipring = Slipring.open(server.get().url(database, proxy.port()))) {
                Claim claim = ring(slipring, Duration.ofHours(1)).stage().claim(9, Duration.ZERO);
                proxy.cut("slipring_extend", when);
                claim.extend();
                assertThat(proxy.hasCut()).isTrue();
                claim.done();
            }
        }
    }

    /** A schema that was made before there were such calls has the others. */
    @Test
    void withoutItsProcedureAnExtensionIsLeftToTheLedgerAndTheOthersStay() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = ring(slipring, Duration.ofHours(1));
            server.get().run("DROP PROCEDURE " + database + ".slipring_extend");
            Claim claim = ring.stage().claim(9, Duration.ZERO);
            claim.extend();
            long begun = server.get().status("Com_begin");
            long calls = server.get().status("Com_call_procedure");
            claim.extend();
            assertThat(server.get().status("Com_call_procedure")).isEqualTo(calls);
            assertThat(server.get().status("Com_begin") - begun).isEqualTo(1);
            claim.done();
            assertThat(server.get().status("Com_call_procedure")).isGreaterThan(calls);
            assertThat(ring.check()).isEmpty();
        }
    }
}
