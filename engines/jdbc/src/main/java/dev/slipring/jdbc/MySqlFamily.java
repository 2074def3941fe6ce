// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.engine.Waits;

import java.util.List;

/** Opens servers of one family, whose dialects are alike. */
abstract class MySqlFamily implements Engine {

    private final String name;

    /**
     * An engine.
     *
     * @param name its name, which its URLs begin with
     */
    MySqlFamily(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String urlForm() {
        return name + "://user:password@host:port/database";
    }

    @Override
    public final boolean accepts(String url) {
        return ServerUrl.accepts(url, name);
    }

    @Override
    public final List<String> scripts() {
        return new MySqlDialect().scripts();
    }

    @Override
    public final Store open(Opening opening) {
        return new Opener(new MySqlDialect(), opening).open();
    }

    @Override
    public final Waits waits(Opening opening) {
        return new ServerWaits(new MySqlDialect(), opening);
    }
}
