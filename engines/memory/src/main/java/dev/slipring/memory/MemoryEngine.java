// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import java.util.List;

/** Opens {@code memory:}, each time an empty store of its own. */
public final class MemoryEngine implements Engine {

    /** For the service loader. */
    public MemoryEngine() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String urlForm() {
        return "memory:";
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith("memory:");
    }

    @Override
    public List<String> scripts() {
        return List.of();
    }

    @Override
    public Store open(Opening opening) {
        return new MemoryStore(new MemoryTransactor(opening.clock()));
    }
}
