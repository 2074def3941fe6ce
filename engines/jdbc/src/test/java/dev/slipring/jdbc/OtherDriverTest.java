// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.LoaderWithout;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

import javax.sql.DataSource;

/** An application with a driver of its own, such as MySQL's, may leave out MariaDB's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherDriverTest {

    @RegisterExtension private final RunningServer server = new RunningServer(ServerFiles.MYSQL_8);

    @Test
    void aDataSourceDoesWithoutTheDriverOfTheUrl() throws Exception {
        String database = server.get().newDatabase();
        DataSource source =
                (DataSource)
                        Proxy.newProxyInstance(
                                DataSource.class.getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (proxy, method, args) -> server.get().connect(database));
        LoaderWithout.use("org.mariadb.", Use.class, source);
    }

    /** What an application does, loaded without the driver. */
    public static final class Use implements Consumer<DataSource> {

        @Override
        public void accept(DataSource source) {
            try (Slipring slipring = Slipring.open(Options.dataSource(source, "mysql"));
                    Connection own = source.getConnection()) {
                Ring ring = slipring.create(RingSpec.named("other"));
                ring.push("x");
                own.setAutoCommit(false);
                ring.join(own).push(Message.of("y"));
                try (Claim claim = ring.stage().claim(1, Duration.ZERO)) {
                    ring.join(own).done(claim);
                    own.commit();
                }
                if (ring.info().pushed() != 2) {
                    throw new IllegalStateException("pushed " + ring.info().pushed());
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
