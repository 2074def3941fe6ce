// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Callers' transactions, with the check of snapshots that newer MariaDB servers make by default.
 */
class MariaDbCallersTest extends ServerCallers {

    MariaDbCallersTest() {
        super(ServerFiles.MARIADB_11, "--innodb-snapshot-isolation=ON");
    }

    /** Only Slipring's statements run without the check. */
    @Test
    void anOldCallersOwnRowsStayChecked() throws Exception {
        String database = server.get().newDatabase();
        String account = database + ".account";
        server.get().run("CREATE TABLE " + account + " (id INT PRIMARY KEY, amount INT)");
        server.get().run("INSERT INTO " + account + " VALUES (1, 100)");
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("outbox"));
            try (Connection caller = old(database);
                    Statement sql = caller.createStatement()) {
                server.get().run("UPDATE " + account + " SET amount = 90");
                ring.push(Message.of("another's"));
                ring.join(caller).push(Message.of("the caller's"));
                assertThatThrownBy(() -> sql.execute("UPDATE account SET amount = amount - 10"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Record has changed");
            }
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }
}
