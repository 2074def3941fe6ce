// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What {@code check} says of a ring that has lost rows in the store: it answers, and does not
 * break.
 */
class CheckTest {

    private Shell shell;

    @BeforeEach
    void open(@TempDir Path folder) {
        shell = new Shell(folder);
        shell.run("create", "r", "--stage", "a", "--stage", "b:after=a");
        shell.feed("x\n", "push", "r");
    }

    @Test
    void ok() {
        assertThat(shell.run("check", "r").text()).isEqualTo("ring r: ok\n");
        Shell.Run run = shell.run("check", "r", "--json");
        assertThat(run.text()).isEqualTo("{\"ring\":\"r\",\"ok\":true,\"broken\":[]}\n");
        assertThat(run.code()).isZero();
    }

    @Test
    void withoutAStage() throws SQLException {
        delete("stage WHERE name = 'a'");
        broken("'a'");
    }

    @Test
    void withoutItsLane() throws SQLException {
        delete("sequence WHERE stage = ''");
        broken("lanes");
    }

    /** What somebody has written into the store says nothing to a terminal. */
    @Test
    void withANameThatATerminalWouldObey() throws SQLException {
        write("UPDATE slipring_stage SET after = 'x' || char(27) || '[2J' WHERE name = 'b'");
        broken("'b' is to follow 'x");
        assertThat(shell.run("check", "r").text()).contains("'x [2J'").doesNotContain("\u001b");
    }

    private void broken(String what) {
        Shell.Run run = shell.run("check", "r", "--json");
        assertThat(run.text())
                .startsWith("{\"ring\":\"r\",\"ok\":false,\"broken\":[\"")
                .contains(what);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isOne();
        Shell.Run words = shell.run("check", "r");
        assertThat(words.text()).startsWith("ring r: ").contains(what);
        assertThat(words.code()).isOne();
    }

    private void delete(String rows) throws SQLException {
        write("DELETE FROM slipring_" + rows);
    }

    private void write(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:" + shell.url());
                Statement sql = connection.createStatement()) {
            assertThat(sql.executeUpdate(statement)).isOne();
        }
    }
}
