// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The engines that are there. */
public final class Engines {

    /** A class path that cannot be read says so for ever. */
    private static final int MOST_FAILURES = 100;

    private final Map<Class<?>, Engine> found = new LinkedHashMap<>();
    private final List<Error> failures = new ArrayList<>();

    private Engines() {}

    /**
     * All of them: those that the class loader of this class knows, and those that the thread's
     * context class loader does. In a container either may know none: a thread of a common pool has
     * no context, and a library may be loaded apart from what uses it.
     */
    public static List<Engine> all() {
        return List.copyOf(look().found.values());
    }

    private static Engines look() {
        Engines engines = new Engines();
        engines.load(Engine.class.getClassLoader());
        engines.load(Thread.currentThread().getContextClassLoader());
        return engines;
    }

    /**
     * One that is broken, or implements another copy of the interface, does not hide the others.
     */
    private void load(ClassLoader loader) {
        Iterator<Engine> all = ServiceLoader.load(Engine.class, loader).iterator();
        int most = failures.size() + MOST_FAILURES;
        while (failures.size() < most) {
            try {
                if (!all.hasNext()) {
                    return;
                }
                Engine engine = all.next();
                found.putIfAbsent(engine.getClass(), engine);
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(e);
            }
        }
    }

    /**
     * The one that a URL is of.
     *
     * @throws IllegalArgumentException if none knows it
     */
    public static Engine byUrl(String url) {
        return look().first(
                        engine -> engine.accepts(url),
                        "URL '" + Passwords.withoutCredentials(url) + "'");
    }

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException if none has it
     */
    public static Engine byDialect(String dialect) {
        return look().first(engine -> engine.name().equals(dialect), "dialect '" + dialect + "'");
    }

    private Engine first(Predicate<Engine> fits, String what) {
        return found.values().stream()
                .filter(engine -> isFit(engine, fits))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no engine for the " + what + "; " + known() + merge(),
                                        failures.isEmpty() ? null : failures.get(0)));
    }

    /** An engine without its driver cannot even tell which URLs are its own; others can. */
    private boolean isFit(Engine engine, Predicate<Engine> fits) {
        try {
            return fits.test(engine);
        } catch (LinkageError e) {
            failures.add(new LinkageError(lacks(engine, e), e));
            return false;
        }
    }

    /** What to say of an engine whose driver, or something that it needs, is not there. */
    public static String lacks(Engine engine, LinkageError error) {
        return "engine "
                + engine.name()
                + " lacks a class, as of its driver, or has it in a version that does not fit: "
                + (error.getMessage() == null ? error.toString() : error.getMessage());
    }

    private String known() {
        if (found.isEmpty()) {
            // An image of jlink has the modules that are required, and no others that serve them.
            return "there is none on the class path: add dev.slipring:slipring-sqlite,"
                    + " -postgresql, -jdbc or -memory"
                    + (Engines.class.getModule().isNamed()
                            ? "; as a module, let yours require dev.slipring.sqlite, .postgresql,"
                                    + " .jdbc or .memory"
                            : "");
        }
        return "those on the class path are "
                + found.values().stream()
                        .map(engine -> engine.name() + " (" + engine.urlForm() + ")")
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    /** A jar made of several may have lost engines: then those of one are left, or none. */
    private String merge() {
        long packages = found.keySet().stream().map(Class::getPackageName).distinct().count();
        if (packages > 1 && failures.isEmpty()) {
            return "";
        }
        return (failures.isEmpty() ? "" : "; " + failures.get(0).getMessage())
                + "; a jar made of several needs the lines of all their files META-INF/services/"
                + Engine.class.getName();
    }
}
