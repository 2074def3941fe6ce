// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.engine.Waits;

import java.util.List;

/** Opens {@code postgresql://HOST/DATABASE}: rings in a schema of a PostgreSQL database. */
public final class PostgresEngine implements Engine {

    /** For the service loader. */
    public PostgresEngine() {}

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public String urlForm() {
        return "postgresql://USER:PASSWORD@HOST:PORT/DATABASE";
    }

    @Override
    public boolean accepts(String url) {
        return PostgresUrl.accepts(url);
    }

    @Override
    public List<String> scripts() {
        return PostgresSchema.scripts();
    }

    @Override
    public Store open(Opening opening) {
        Connections connections = connections(opening);
        boolean done = false;
        try {
            String place =
                    opening.url() == null
                            ? "the data source"
                            : PostgresUrl.parse(opening.url()).place();
            if (opening.url() == null) {
                connections.requireProduct();
            }
            connections.learnIsolation();
            int installed =
                    PostgresSchema.checked(connections.alone(PostgresSchema::installed), place);
            if (installed == 0) {
                PostgresSchema.checkEncoding(connections, place);
            }
            opening.checkThere(installed, place);
            if (opening.migrate()) {
                PostgresSchema.migrate(connections, place);
            } else if (installed < PostgresSchema.CURRENT) {
                connections.require(statements -> PostgresSchema.require(statements, place));
            }
            done = true;
            return new PostgresStore(connections);
        } finally {
            if (!done) {
                connections.close();
            }
        }
    }

    @Override
    public Waits waits(Opening opening) {
        return new PostgresWaits(connections(opening));
    }

    private static Connections connections(Opening opening) {
        if (opening.url() == null) {
            return new Connections(opening.dataSource(), true, new Trouble("the data source"));
        }
        PostgresUrl url = PostgresUrl.parse(opening.url());
        return new Connections(url.dataSource(), false, new Trouble(url.place()));
    }
}
