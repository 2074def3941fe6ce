// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Passwords;
import dev.slipring.engine.Store;

import java.util.List;

/** Opens {@code memory:}, each time an empty store of its own. */
public final class MemoryEngine implements Engine {

    private static final String URL = "memory:";

    /** For the service loader. */
    public MemoryEngine() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String urlForm() {
        return URL;
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(URL);
    }

    @Override
    public List<String> scripts() {
        return List.of();
    }

    @Override
    public Store open(Opening opening) {
        if (opening.url() == null) {
            throw new IllegalArgumentException(
                    "the memory engine takes no data source; open '" + URL + "'");
        }
        if (!URL.equals(opening.url())) {
            throw new IllegalArgumentException(
                    "a store in memory has neither a name nor options, and the URL '"
                            + Passwords.maskedUrl(opening.url())
                            + "' has; write "
                            + URL);
        }
        return new MemoryStore(new MemoryTransactor(opening.clock()));
    }
}
