// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.List;

/** A kind of store, found by {@link java.util.ServiceLoader}. Stateless. */
public interface Engine {

    /** The dialect's name: {@code sqlite}. */
    String name();

    /** How its URLs look, for people: {@code sqlite:FILE}. */
    String urlForm();

    /** Whether the URL is one of this engine's; not whether anything can be reached there. */
    boolean accepts(String url);

    /**
     * The scripts that make its schema, from nothing to the current version, in order; none if it
     * has no schema. They need no store.
     */
    List<String> scripts();

    /** The same for a URL that may ask for another schema. */
    default List<String> scripts(String url) {
        return scripts();
    }

    /**
     * Opens what the URL or the data source names, and makes or upgrades its schema unless told not
     * to.
     *
     * @throws dev.slipring.SlipringException if that is not possible, with the reason and without
     *     any password
     */
    Store open(Opening opening);

    /**
     * The figures of the server that the URL names, which needs no schema.
     *
     * @throws IllegalArgumentException if this engine has none
     * @throws dev.slipring.SlipringException if the server does not give them
     */
    default Waits waits(Opening opening) {
        throw new IllegalArgumentException(
                "the engine " + name() + " has no server that says what it waits for");
    }
}
