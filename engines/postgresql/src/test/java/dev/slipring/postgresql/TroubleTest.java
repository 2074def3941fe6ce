// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection that was never made is not reported as lost. */
class TroubleTest {

    private final Trouble trouble = new Trouble("host/database");

    @Test
    void aPortWhereNobodyListens() throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setDatabaseName("database");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            source.setPortNumbers(new int[] {taken.getLocalPort()});
        }
        try (Connections connections = new Connections(source, true, trouble)) {
            assertThatThrownBy(connections::connect)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("no connection to host/database")
                    .hasMessageContaining("see whether the server runs");
        }
    }

    @Test
    void whoCannotOpenDoesNotGoOnTrying() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread hangingUp = new Thread(() -> hangUp(server, asked));
            hangingUp.start();
            String url = "postgresql://somebody@127.0.0.1:" + server.getLocalPort() + "/database";
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("no connection to 127.0.0.1");
            server.close();
            hangingUp.join();
        }
        // The driver tries once with encryption, and once without.
        assertThat(asked.get()).isBetween(1, 2);
    }

    private static void hangUp(ServerSocket server, AtomicInteger asked) {
        while (!server.isClosed()) {
            try {
                server.accept().close();
                asked.incrementAndGet();
            } catch (IOException e) {
                // The client has gone, or the server is closed.
            }
        }
    }

    /** As where a certificate is wrong, or its file is missing: the driver says 08006. */
    @Test
    void anEncryptionThatDoesNotComeAboutIsNoLoss() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread agreeing = new Thread(() -> agreeAndHangUp(server));
            agreeing.start();
            String place = "127.0.0.1:" + server.getLocalPort();
            String url = "postgresql://somebody@" + place + "/database?sslmode=require";
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("no connection to " + place)
                    .hasMessageContaining("(SSL error: ");
            server.close();
            agreeing.join();
        }
    }

    private static void agreeAndHangUp(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getInputStream().readNBytes(8);
                client.getOutputStream().write('S');
            } catch (IOException e) {
                // The client has gone, or the server is closed.
            }
        }
    }

    @Test
    void aPoolWithoutAConnectionInTime() {
        SqlFailed late = new SqlFailed(new SQLTransientConnectionException("timed out"));
        assertThat(trouble.explain(late))
                .hasMessageContaining("no connection to host/database")
                .hasMessageContaining("calls of this process have all of the pool's");
    }

    @Test
    void whatSomebodyCancelled() {
        SqlFailed cancelled =
                new SqlFailed(
                        new SQLException(
                                "ERROR: canceling statement due to user request", "57014"));
        assertThat(trouble.explain(cancelled)).hasMessageContaining("was cancelled in host/");
    }

    /** The driver gives that the number of a server without memory, which has stored nothing. */
    @Test
    void anAnswerForWhichThereIsNoMemoryHereIsUnknown() {
        SqlFailed unread =
                new SqlFailed(
                        new PSQLException(
                                "Ran out of memory retrieving query results.",
                                PSQLState.OUT_OF_MEMORY,
                                new OutOfMemoryError("Java heap space")));
        assertThat(trouble.atCommit(unread)).isInstanceOf(OutcomeUnknown.class);
        assertThat(trouble.explain(unread)).hasMessageNotContaining("nothing was stored");
    }

    @Test
    void aPoolThatSaysNothing() {
        PGSimpleDataSource mute =
                new PGSimpleDataSource() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public Connection getConnection() throws SQLException {
                        throw new SQLException();
                    }
                };
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(mute, "postgresql")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("could not do it in the data source");
    }

    /** As a server with lc_messages = 'de_DE.UTF-8' answers. */
    @Test
    void whatAServerSaysInAnotherLanguage() {
        String answer =
                "SFEHLER\0VERROR\0CXX000\0Mkonnte Relation mit OID 16390 nicht öffnen\0"
                        + "Frelation.c\0L61\0Rrelation_open\0\0";
        SqlFailed gone = new SqlFailed(new PSQLException(new ServerErrorMessage(answer)));
        assertThat(trouble.explain(gone))
                .hasMessageContaining("a ring was dropped meanwhile")
                .hasMessageContaining("(konnte Relation mit OID 16390 nicht öffnen)");
    }
}
