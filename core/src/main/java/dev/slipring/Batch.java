// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of a claim, for a handler of {@link Typed#workBatches}. Messages that the codec
 * refuses are not among them: they fail, and nothing that is reported here is about them. Reports
 * throw what those of {@link Claim} do. Thread-safe.
 *
 * @param <T> the type of the values
 */
public final class Batch<T> {

    private final Claim claim;
    private final List<Entry<T>> entries;

    /** For the position of each message that the codec refuses, what it said. */
    private final Map<Long, Throwable> refused;

    private Batch(Claim claim, List<Entry<T>> entries, Map<Long, Throwable> refused) {
        this.claim = claim;
        this.entries = List.copyOf(entries);
        this.refused = refused;
    }

    /**
     * A value, and how it came.
     *
     * @param value what was pushed
     * @param delivery its message
     * @param <T> its type
     */
    public record Entry<T>(T value, Delivery delivery) {}

    /**
     * The values of a claim. Of an ordered claim only those before the first that the codec
     * refuses: what is behind it has to wait for it.
     */
    static <T> Batch<T> of(Claim claim, Codec<T> codec) {
        List<Entry<T>> entries = new ArrayList<>();
        Map<Long, Throwable> refused = new LinkedHashMap<>();
        for (Delivery delivery : claim.deliveries()) {
            try {
                entries.add(new Entry<>(codec.decode(delivery.body()), delivery));
            } catch (Throwable e) { // an Error too: it is of this message, whatever it is
                refused.put(delivery.position(), e);
                if (claim.mode() == Mode.ORDERED) {
                    break;
                }
            }
        }
        return new Batch<>(claim, entries, refused);
    }

    /** The values with their messages, in the order of the claim; one or more. */
    public List<Entry<T>> entries() {
        return entries;
    }

    /** The values, in the order of the claim. */
    public List<T> values() {
        return entries.stream().map(Entry::value).toList();
    }

    /** Reports one as done. */
    public void done(Entry<T> entry) {
        claim.done(entry.delivery());
    }

    /** Reports one as failed, see {@link Claim#fail(Delivery, String)}. */
    public void fail(Entry<T> entry, String error) {
        claim.fail(entry.delivery(), error);
    }

    /** For the position of each message that the codec refuses, what it said. */
    Map<Long, Throwable> refused() {
        return refused;
    }

    /** The claim that they are of. */
    Claim claim() {
        return claim;
    }

    /** What is left of a claim in front of the first message that is refused. */
    static List<Delivery> before(Claim claim, Set<Long> refused) {
        return claim.left().stream().takeWhile(it -> !refused.contains(it.position())).toList();
    }

    /**
     * Says that all that is left of it is done. Of a pool the refused fail with it: so what was
     * reported before need not be known here.
     */
    Word allDone() {
        if (refused.isEmpty()) {
            return Word.rest(Rest.DONE);
        }
        return claim.mode() == Mode.ORDERED
                ? new Word(before(claim, refused.keySet()), List.of(), Rest.KEEP)
                : new Word(List.of(), refusals(), Rest.DONE);
    }

    /** The refused as failures. */
    List<Failed> refusals() {
        List<Failed> failed = new ArrayList<>();
        refused.forEach((at, why) -> failed.add(new Failed(at, Watcher.words(why))));
        return failed;
    }
}
