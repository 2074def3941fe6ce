// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The engines that are there. */
public final class Engines {

    private Engines() {}

    /** All of them. */
    public static List<Engine> all() {
        return ServiceLoader.load(Engine.class).stream().map(ServiceLoader.Provider::get).toList();
    }

    /**
     * The one that a URL is of.
     *
     * @throws IllegalArgumentException if none knows it
     */
    public static Engine byUrl(String url) {
        return first(
                engine -> engine.accepts(url), "URL '" + Passwords.withoutCredentials(url) + "'");
    }

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException if none has it
     */
    public static Engine byDialect(String dialect) {
        return first(engine -> engine.name().equals(dialect), "dialect '" + dialect + "'");
    }

    private static Engine first(Predicate<Engine> fits, String what) {
        List<Engine> engines = all();
        return engines.stream()
                .filter(fits)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no engine for the " + what + "; " + known(engines)));
    }

    private static String known(List<Engine> engines) {
        if (engines.isEmpty()) {
            return "there is none on the class path: add dev.slipring:slipring-sqlite,"
                    + " -postgresql, -jdbc or -memory";
        }
        return "those on the class path are "
                + engines.stream()
                        .map(engine -> engine.name() + " (" + engine.urlForm() + ")")
                        .sorted()
                        .collect(Collectors.joining(", "));
    }
}
