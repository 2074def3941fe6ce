// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

/** A store on a pool of the application's: it takes one connection at a time, and gives it back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolTest {

    @RegisterExtension
    private final RunningServer server = new RunningServer(ServerFiles.MARIADB_11);

    /** A pool that counts what a thread has of it; the first call of a connection may fail. */
    private static final class Pool {

        private final ThreadLocal<Integer> taken = ThreadLocal.withInitial(() -> 0);
        private final RunningServer server;
        private final String database;
        private boolean broken;

        Pool(RunningServer server, String database) {
            this.server = server;
            this.database = database;
        }

        DataSource source() {
            return (DataSource)
                    Proxy.newProxyInstance(
                            DataSource.class.getClassLoader(),
                            new Class<?>[] {DataSource.class},
                            (proxy, method, args) -> connection());
        }

        private Connection connection() throws SQLException {
            if (taken.get() > 0) {
                throw new SQLException("this thread has a connection already");
            }
            taken.set(1);
            Connection real = server.get().connect(database);
            return (Connection)
                    Proxy.newProxyInstance(
                            Connection.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, method, args) -> {
                                if (method.getName().equals("close")) {
                                    taken.set(0);
                                } else if (broken) {
                                    throw new SQLException("broken");
                                }
                                try {
                                    return method.invoke(real, args);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }
    }

    @Test
    void oneConnectionIsEnough() {
        Pool pool = new Pool(server, server.get().newDatabase());
        Options options = Options.dataSource(pool.source(), "mariadb");
        try (Slipring slipring = Slipring.open(options)) {
            assertThat(slipring.schema().installed()).isEqualTo(slipring.schema().current());
            Ring ring = slipring.create(RingSpec.named("pooled"));
            ring.push("x");
            try (Claim claim = ring.stage().claim(1, Duration.ZERO)) {
                claim.fail(claim.deliveries().get(0), "by plan");
            }
            assertThat(ring.info().pushed()).isEqualTo(1);
            assertThat(ring.check()).isEmpty();
        }
        assertThat(pool.taken.get()).isZero();
    }

    @Test
    void aStoreThatIsClosedOpensNoMoreConnections() {
        Pool pool = new Pool(server, server.get().newDatabase());
        Slipring slipring = Slipring.open(Options.dataSource(pool.source(), "mariadb"));
        slipring.close();
        JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
        assertThatThrownBy(() -> transactor.ask(new Script().run("DO 0")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aConnectionThatIsOfNoUseGoesBack() {
        Pool pool = new Pool(server, server.get().newDatabase());
        pool.broken = true;
        Options options = Options.dataSource(pool.source(), "mariadb");
        assertThatThrownBy(() -> Slipring.open(options)).isInstanceOf(SlipringException.class);
        assertThat(pool.taken.get()).isZero();
    }
}
