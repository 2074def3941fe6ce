// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import java.util.List;

/** Opens {@code sqlite:FILE}: rings in a file, shared by the processes of one machine. */
public final class SqliteEngine implements Engine {

    /** For the service loader. */
    public SqliteEngine() {}

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String urlForm() {
        return "sqlite:FILE";
    }

    @Override
    public boolean accepts(String url) {
        return SqliteUrl.accepts(url);
    }

    @Override
    public List<String> scripts() {
        return SqliteSchema.scripts();
    }

    @Override
    public Store open(Opening opening) {
        return new Opener(opening).open();
    }
}
