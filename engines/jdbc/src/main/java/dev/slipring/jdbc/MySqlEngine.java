// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.engine.Waits;

import java.util.List;

/** Opens {@code mysql://user:password@host:port/database}. */
public final class MySqlEngine implements Engine {

    /** For the service loader. */
    public MySqlEngine() {}

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public String urlForm() {
        return "mysql://user:password@host:port/database";
    }

    @Override
    public boolean accepts(String url) {
        return ServerUrl.accepts(url, "mysql");
    }

    @Override
    public List<String> scripts() {
        return new MySqlDialect().scripts();
    }

    @Override
    public Store open(Opening opening) {
        return new Opener(new MySqlDialect(), opening).open();
    }

    @Override
    public Waits waits(Opening opening) {
        return new ServerWaits(new MySqlDialect(), opening);
    }
}
