// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.BenchProcess;
import dev.slipring.bench.subject.Target;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What is set for a whole server is announced before, and set back afterwards. */
class RelaxedTest {

    @RegisterExtension
    private static final RunningServer SERVER = new RunningServer(ServerFiles.MARIADB_11);

    @TempDir private Path folder;

    @Test
    void aRunSetsBackWhatItFound() throws Exception {
        SERVER.get().run("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        SERVER.get().run("SET GLOBAL sync_binlog = 3");
        SourceEngine engine = SourceEngine.of("mariadb");
        String database = SERVER.get().newDatabase();
        assertThat(engine.warning(Target.of(SERVER.get().url(database))))
                .contains("the whole server")
                .contains("`innodb_flush_log_at_trx_commit` 2")
                .contains("`sync_binlog` 3");
        try (SourceEngine.Relaxed relaxed = engine.relax(() -> SERVER.get().connect(database))) {
            assertThat(settings()).isEqualTo("0 0");
        }
        assertThat(settings()).isEqualTo("2 3");
    }

    /**
     * A second run at the same time is refused: it would take the first run's settings for the
     * server's own, and leave them behind.
     */
    @Test
    void aSecondRunIsRefused() throws Exception {
        SERVER.get().run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        SERVER.get().run("SET GLOBAL sync_binlog = 5");
        SourceEngine engine = SourceEngine.of("mariadb");
        try (SourceEngine.Relaxed relaxed = engine.relax(RelaxedTest::connect)) {
            assertThatThrownBy(() -> engine.relax(RelaxedTest::connect))
                    .isInstanceOf(BenchFailed.class)
                    .hasMessageContaining("another run");
        }
        assertThat(settings()).isEqualTo("1 5");
        engine.relax(RelaxedTest::connect).close();
        assertThat(settings()).isEqualTo("1 5");
    }

    /**
     * Settings that a killed run may have left are refused: they are not to be what is set back in
     * the end.
     */
    @Test
    void aServerThatDoesNotWaitIsRefused() throws Exception {
        SERVER.get().run("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
        assertThatThrownBy(() -> SourceEngine.of("mariadb").relax(RelaxedTest::connect))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }

    @Test
    void aProcessThatIsEndedDoesToo() throws Exception {
        SERVER.get().run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        SERVER.get().run("SET GLOBAL sync_binlog = 7");
        String url = "jdbc:mariadb://127.0.0.1:" + SERVER.get().port() + "/?user=root";
        try (BenchProcess process = new BenchProcess(folder, RelaxedMain.class, url)) {
            process.awaitWords(RelaxedMain.RELAXED);
            assertThat(settings()).isEqualTo("0 0");
            process.terminate();
            assertThat(process.words()).contains("innodb_flush_log_at_trx_commit = 1");
        }
        assertThat(settings()).isEqualTo("1 7");
    }

    /** The run that has set them may have lost its connection, and with it the lock. */
    @Test
    void whatWasLeftByALostConnectionIsSetBackByAnother() throws Exception {
        SERVER.get().run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        SERVER.get().run("SET GLOBAL sync_binlog = 9");
        SourceEngine engine = SourceEngine.of("mariadb");
        Connection first = connect();
        List<Connection> ways = new ArrayList<>(List.of(connect(), first));
        try (SourceEngine.Relaxed relaxed = engine.relax(() -> ways.remove(ways.size() - 1))) {
            assertThat(settings()).isEqualTo("0 0");
            SERVER.get().run("KILL " + idOf(first));
        }
        assertThat(settings()).isEqualTo("1 9");
        assertThat(ways).isEmpty();
    }

    private static long idOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection connect() throws SQLException {
        return SERVER.get().connect("");
    }

    private static String settings() throws SQLException {
        try (Connection connection = SERVER.get().connect("");
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT CONCAT(@@GLOBAL.innodb_flush_log_at_trx_commit, ' ',"
                                        + " @@GLOBAL.sync_binlog)")) {
            row.next();
            return row.getString(1);
        }
    }
}
