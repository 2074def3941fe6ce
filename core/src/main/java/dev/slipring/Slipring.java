// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Change;
import dev.slipring.engine.Engine;
import dev.slipring.engine.Engines;
import dev.slipring.engine.Store;
import dev.slipring.graph.Names;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open store of rings: where an application begins. Thread-safe; one per store and process is
 * enough.
 *
 * <pre>{@code
 * try (Slipring slipring = Slipring.open("sqlite:orders.db")) {
 *     Ring orders = slipring.create(RingSpec.named("orders"));
 *     orders.push("hello");
 *     try (Claim claim = orders.stage("main").claim(100, Duration.ofSeconds(1))) {
 *         claim.deliveries().forEach(delivery -> System.out.println(delivery.text()));
 *         claim.done();
 *     }
 * }
 * }</pre>
 */
public final class Slipring implements AutoCloseable {

    private final Options options;
    private final Store store;
    private final Map<String, Ring> rings = new ConcurrentHashMap<>();

    private Slipring(Options options, Store store) {
        this.options = options;
        this.store = store;
    }

    /**
     * Opens what a URL names, with the defaults.
     *
     * @throws IllegalArgumentException if no engine knows the URL
     * @throws SlipringException if the store cannot be opened
     */
    public static Slipring open(String url) {
        return open(Options.url(url));
    }

    /**
     * Opens a store.
     *
     * @throws IllegalArgumentException if no engine knows the URL or the dialect
     * @throws SlipringException if the store cannot be opened
     */
    public static Slipring open(Options options) {
        Engine engine = engine(options);
        try {
            return new Slipring(options, engine.open(options.opening()));
        } catch (LinkageError e) {
            throw new StoreFailed(Engines.lacks(engine, e), e);
        }
    }

    private static Engine engine(Options options) {
        return options.url() != null
                ? Engines.byUrl(options.url())
                : Engines.byDialect(options.dialect());
    }

    /** Uses an open store, which is closed with this; for tests of engines. */
    public static Slipring over(Store store, Options options) {
        return new Slipring(options, store);
    }

    /** The names of the rings, sorted. */
    public List<String> rings() {
        return store.rings();
    }

    /**
     * Creates a ring, or finds it in the same shape.
     *
     * @throws ShapeConflict if it exists in another shape
     */
    public Ring create(RingSpec spec) {
        Objects.requireNonNull(spec, "spec");
        store.change(spec.name(), new Change.Create(spec));
        return ring(spec.name());
    }

    /**
     * Creates a ring if there is none of its name; otherwise takes the ring as it is. For a program
     * that declares its ring at each start, although somebody may have changed the ring since.
     */
    public Ring createIfMissing(RingSpec spec) {
        Objects.requireNonNull(spec, "spec");
        if (!has(spec.name())) {
            try {
                return create(spec);
            } catch (ShapeConflict e) {
                // Somebody else was faster.
            }
        }
        return ring(spec.name());
    }

    /**
     * The ring of that name.
     *
     * @throws NoSuchRing if there is none
     * @throws IllegalArgumentException if no ring may have that name
     */
    public Ring ring(String name) {
        Names.check("ring", name);
        Shape shape = shape(name);
        Ring[] gone = new Ring[1];
        Ring found =
                rings.compute(
                        name,
                        (key, known) -> {
                            // It may have been made anew since the look, and be known already.
                            Shape now = isOf(known, shape) || known == null ? shape : shape(name);
                            if (isOf(known, now)) {
                                return known;
                            }
                            if (known != null) {
                                known.refuseListener("ask for the ring that is in its place");
                            }
                            gone[0] = known;
                            return new Ring(store, now, options);
                        });
        if (gone[0] != null) {
            gone[0].closeDropped();
        }
        return found;
    }

    private static boolean isOf(Ring known, Shape shape) {
        return known != null && known.id() == shape.id();
    }

    private Shape shape(String name) {
        return store.shape(name).orElseThrow(() -> NoSuchRing.among(rings(), name));
    }

    /** Whether there is a ring of that name; false also for a name that no ring may have. */
    public boolean has(String name) {
        Objects.requireNonNull(name, "name");
        return Names.isAllowed(name) && store.shape(name).isPresent();
    }

    /**
     * Removes a ring with all that it holds.
     *
     * @throws NoSuchRing if there is none of that name
     * @throws IllegalArgumentException if no ring may have that name
     * @throws IllegalStateException in a listener that hears of a push to the ring
     */
    public void drop(String name) {
        Names.check("ring", name);
        Ring open = rings.get(name);
        if (open != null) {
            open.refuseListener("drop the ring");
        }
        store.change(name, new Change.Drop());
        Ring[] gone = new Ring[1];
        rings.computeIfPresent(
                name,
                (key, known) -> {
                    gone[0] = isThere(known, open) ? null : known;
                    return gone[0] == null ? known : null;
                });
        if (gone[0] != null) {
            gone[0].closeDropped();
        }
    }

    /**
     * Whether it is the ring of its name, which may have been made anew since it was dropped; where
     * the store does not say, any other than the one that was open before.
     */
    private boolean isThere(Ring known, Ring before) {
        try {
            return store.shape(known.name()).filter(shape -> isOf(known, shape)).isPresent();
        } catch (StoreFailed e) {
            return known != before;
        }
    }

    /** The state of the store's schema. */
    public Schema schema() {
        return store.schema();
    }

    /** The store underneath, for tools. */
    public Store store() {
        return store;
    }

    /**
     * Writes what was pushed, and closes the store. Close workers and claims before: a claim that
     * is closed later throws {@link StoreFailed}. Pushes that wait for room in the ring are refused
     * with {@link RingFull}; those that wait for room in memory, and of which nothing was taken
     * yet, with {@link StoreFailed}.
     */
    @Override
    public void close() {
        rings.values().forEach(ring -> ring.refuseListener("close the store"));
        try (store) {
            closeRings();
        }
    }

    /** Closes all, whatever becomes of one. */
    private void closeRings() {
        List<RuntimeException> failures = new ArrayList<>();
        for (Ring ring : rings.values()) {
            try {
                ring.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }
}
