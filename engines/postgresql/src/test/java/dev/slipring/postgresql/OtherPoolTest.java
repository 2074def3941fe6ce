// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.LoaderWithout;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.function.Consumer;

import javax.sql.DataSource;

/** An application with a pool of its own may leave out HikariCP. */
class OtherPoolTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aDataSourceDoesWithoutThePoolOfTheUrl() throws Exception {
        DataSource source = PostgresUrl.parse(database.url()).dataSource();
        LoaderWithout.use("com.zaxxer.", Use.class, source);
    }

    /** An application, loaded without HikariCP. */
    public static final class Use implements Consumer<DataSource> {

        @Override
        public void accept(DataSource source) {
            try (Slipring slipring = Slipring.open(Options.dataSource(source, "postgresql"))) {
                slipring.create(RingSpec.named("other")).push("x");
            }
        }
    }
}
