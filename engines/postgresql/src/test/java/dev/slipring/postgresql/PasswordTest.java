// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A server that asks for passwords: a wrong one is refused, and shown nowhere. */
class PasswordTest {

    private static final String RIGHT = "right-one";
    private static final String WRONG = "s3cret-wrong-one";

    @TempDir Path folder;

    /** Keeps everything that is logged, at any level. */
    private static final class Records extends Handler {

        private final StringBuffer words = new StringBuffer();
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord entry) {
            words.append(formatter.format(entry));
        }

        @Override
        public void flush() {
            // Nothing to do: nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing to do: nothing is open.
        }
    }

    @Test
    void aWrongOneIsShownNowhere() throws Exception {
        Records records = new Records();
        Logger root = Logger.getLogger("");
        Level level = root.getLevel();
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (OwnServer server = new OwnServer(folder).start()) {
            askForPasswords(server);
            root.addHandler(records);
            root.setLevel(Level.ALL);
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Throwable refused =
                    catchThrowable(() -> Slipring.open(server.url("guest:" + WRONG, "postgres")));
            System.setErr(err);
            assertThat(refused)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("password was refused")
                    .hasMessageContaining("127.0.0.1:" + server.port() + "/postgres");
            StringWriter trace = new StringWriter();
            refused.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain(WRONG);
            assertThat(Options.url(server.url("guest:" + WRONG, "postgres")).toString())
                    .doesNotContain(WRONG);
            Slipring.open(server.url("guest:" + RIGHT, "postgres")).close();
        } finally {
            System.setErr(err);
            root.removeHandler(records);
            root.setLevel(level);
        }
        assertThat(records.words).isNotEmpty();
        assertThat(records.words.toString()).doesNotContain(WRONG);
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain(WRONG);
    }

    @Test
    void oneThatIsMissingIsNamed() throws Exception {
        try (OwnServer server = new OwnServer(folder).start()) {
            askForPasswords(server);
            assertThatThrownBy(() -> Slipring.open(server.url("guest", "postgres")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("no connection to 127.0.0.1:" + server.port())
                    .hasMessageContaining("see whether it wants a password");
        }
    }

    private static void askForPasswords(OwnServer server) throws Exception {
        try (Connection connection = Server.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE guest LOGIN SUPERUSER PASSWORD '" + RIGHT + "'");
            Files.writeString(
                    server.data().resolve("pg_hba.conf"),
                    "host all postgres 127.0.0.1/32 trust\n"
                            + "host all all 127.0.0.1/32 scram-sha-256\n");
            statement.execute("SELECT pg_reload_conf()");
        }
    }
}
