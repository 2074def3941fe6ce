// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.engine.Waits;

import java.util.List;

/** Opens a MariaDB with SQL Server in its shadow: {@code shadow+mariadb://…}. */
public final class ShadowEngine implements Engine {

    private static final String PREFIX = "shadow+";

    /** For the service loader. */
    public ShadowEngine() {}

    @Override
    public String name() {
        return "shadow";
    }

    @Override
    public String urlForm() {
        return PREFIX + "mariadb://user:password@host:port/database";
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public List<String> scripts() {
        return new ShadowDialect().scripts();
    }

    @Override
    public Store open(Opening opening) {
        ShadowDialect dialect = new ShadowDialect();
        dialect.recordTheRest();
        return new Opener(dialect, opening).open();
    }

    @Override
    public Waits waits(Opening opening) {
        return new ServerWaits(new MySqlDialect(), opening);
    }
}
