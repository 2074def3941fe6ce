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
     * has no schema. They are the same for every URL, and need no store.
     */
    List<String> scripts();

    /**
     * Opens what the URL or the data source names, and makes or upgrades its schema unless told not
     * to.
     *
     * @throws dev.slipring.SlipringException if that is not possible, with the reason and without
     *     any password
     */
    Store open(Opening opening);
}
