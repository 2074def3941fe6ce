// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.List;

/** Upgrades of the schema, also by users who have some rights only. */
class MySqlUpgradeTest extends ServerUpgrade {

    MySqlUpgradeTest() {
        super(ServerFiles.MYSQL_8);
    }

    /** Those of the old version would go on with tables of the new one. */
    @Test
    void needsTheRightToMakeTheProceduresThatAreThere() throws SQLException {
        String database = server().newDatabase();
        String url = server().url(database);
        Slipring.open(url).close();
        server().run("CREATE USER tables@'127.0.0.1'");
        String rights = "GRANT SELECT, INSERT, UPDATE, CREATE, ALTER, INDEX, EXECUTE ON ";
        server().run(rights + database + ".* TO tables@'127.0.0.1'");
        String theirs = url.replaceFirst("//[^@]*@", "//tables@");
        assertThatThrownBy(() -> upgrade(theirs, NEXT)).isInstanceOf(SqlFailed.class);
        assertThat(version(database)).isEqualTo(1);
        for (String name :
                List.of("push", "claim", "move", "lowest", "empty", "extent", "extend")) {
            server().run("DROP PROCEDURE " + database + ".slipring_" + name);
        }
        upgrade(theirs, NEXT);
        assertThat(version(database)).isEqualTo(2);
    }
}
