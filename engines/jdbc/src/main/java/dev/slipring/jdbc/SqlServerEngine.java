// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.engine.Waits;

import java.util.List;

/** Opens {@code sqlserver://user:password@host:port/database}. */
public final class SqlServerEngine implements Engine {

    /** For the service loader. */
    public SqlServerEngine() {}

    @Override
    public String name() {
        return "sqlserver";
    }

    @Override
    public String urlForm() {
        return "sqlserver://user:password@host:port/database";
    }

    @Override
    public boolean accepts(String url) {
        return ServerUrl.accepts(url, "sqlserver");
    }

    @Override
    public List<String> scripts() {
        return new SqlServerDialect(false).scripts();
    }

    /** With {@code slots=memory} the slots are in memory-optimised tables. */
    @Override
    public List<String> scripts(String url) {
        return new SqlServerDialect(SqlServerUrl.wantsMemory(url)).scripts();
    }

    @Override
    public Store open(Opening opening) {
        boolean inMemory = opening.url() != null && SqlServerUrl.wantsMemory(opening.url());
        return new Opener(new SqlServerDialect(inMemory), opening).open();
    }

    @Override
    public Waits waits(Opening opening) {
        return new ServerWaits(new SqlServerDialect(false), opening);
    }
}
