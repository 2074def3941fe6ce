// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.StoreFailed;

import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLTransientConnectionException;

/** A connection that never was is not called a lost one. */
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
    void aPoolWithoutAConnectionInTime() {
        SqlFailed late = new SqlFailed(new SQLTransientConnectionException("timed out"));
        assertThat(trouble.explain(late)).hasMessageContaining("no connection to host/database");
    }
}
