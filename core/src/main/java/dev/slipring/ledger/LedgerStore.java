// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Slot;
import dev.slipring.graph.Shape;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A store that keeps the promises by the ledger's rules, on an engine's rows. The engine adds its
 * capabilities, its schema, how callers' transactions are joined, and how one hears of other
 * processes.
 */
public abstract class LedgerStore extends RingStore {

    private final Transactor<Rows> transactor;
    private final boolean durableSettle;

    /**
     * A store.
     *
     * @param transactor runs the work
     * @param durableSettle whether a worker's word has to be on the disk when it is taken; if not,
     *     the loss of the machine may bring back messages that were just done
     */
    protected LedgerStore(Transactor<Rows> transactor, boolean durableSettle) {
        super(transactor);
        this.transactor = transactor;
        this.durableSettle = durableSettle;
    }

    @Override
    public void push(String ring, List<Slot> slots) {
        write(
                true,
                ring,
                (rows, shape) -> {
                    PushRule.push(rows, shape, slots);
                    return null;
                });
    }

    @Override
    public Set<Integer> tryPush(String ring, List<Slot> slots, Duration patience) {
        Optional<Boolean> pushed =
                transactor.tryWrite(
                        patience,
                        rows -> {
                            PushRule.push(rows, find(rows, ring), slots);
                            return true;
                        });
        // Only an engine with one writer at a time gives up, and whoever writes there keeps every
        // lane.
        return pushed.isPresent() ? Set.of() : allLanes(ring);
    }

    private Set<Integer> allLanes(String ring) {
        int lanes = shape(ring).map(shape -> shape.spec().lanes()).orElse(1);
        return IntStream.range(0, lanes).boxed().collect(Collectors.toSet());
    }

    @Override
    public long pushed(String ring, long producer) {
        // As durable work: a push that can be read may not be on the disk yet.
        return write(true, ring, (rows, shape) -> rows.lanes().pushed(shape.id(), producer));
    }

    @Override
    public Claimed claim(String ring, ClaimRequest request) {
        Settlement before = request.before();
        boolean durable = before != null && durableSettle;
        return write(
                durable,
                ring,
                (rows, shape) -> {
                    Settled settled =
                            before == null ? null : new SettleRule(rows, shape, before).settle();
                    return new ClaimRule(rows, shape, request).claim().behind(settled);
                });
    }

    @Override
    public Settled settle(String ring, Settlement word) {
        return write(
                durableSettle, ring, (rows, shape) -> new SettleRule(rows, shape, word).settle());
    }

    @Override
    public Optional<Settled> trySettle(String ring, Settlement word) {
        if (word.rest() != Rest.GIVE_BACK) {
            return write(durableSettle, ring, (rows, shape) -> trySettle(rows, shape, word));
        }
        // The transaction that keeps the whole store may be the caller's own, which this would wait
        // for in vain. To extend a lease is worth the wait. To give back is not: that happens
        // anyway when the lease runs out.
        return transactor
                .tryWrite(BetweenTries.OTHERS, rows -> trySettle(rows, find(rows, ring), word))
                .flatMap(settled -> settled);
    }

    private static Optional<Settled> trySettle(Rows rows, Shape shape, Settlement word) {
        SettleRule rule = new SettleRule(rows, shape, word);
        return !rule.isOfRing() || rows.take(shape.id(), word.ticket().lane())
                ? Optional.of(rule.settle())
                : Optional.empty();
    }

    private <T> T write(boolean durable, String ring, BiFunction<Rows, Shape, T> work) {
        return transactor.write(durable, rows -> work.apply(rows, find(rows, ring)));
    }
}
