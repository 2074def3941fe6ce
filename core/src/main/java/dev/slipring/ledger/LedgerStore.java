// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.NoSuchRing;
import dev.slipring.RingBroken;
import dev.slipring.Survey;
import dev.slipring.engine.DeadResult;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.DeadRequest;
import dev.slipring.engine.Pause;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.graph.Shape;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A store that keeps the promises by the ledger's rules, on an engine's rows. The engine adds its
 * capabilities, its schema, how callers' transactions are joined, and how one hears of other
 * processes.
 */
public abstract class LedgerStore implements Store {

    private final Transactor transactor;
    private final boolean durableSettle;

    /**
     * A store.
     *
     * @param transactor runs the work
     * @param durableSettle whether a worker's word has to be on the disk when it is taken; if not,
     *     the loss of the machine may bring back messages that were just done
     */
    protected LedgerStore(Transactor transactor, boolean durableSettle) {
        this.transactor = transactor;
        this.durableSettle = durableSettle;
    }

    /** How many lanes a ring has if nobody says. */
    protected abstract int defaultLanes();

    /** How large the store is, in bytes; -1 if it cannot say. */
    protected abstract long size();

    /** How often a transaction was run again, because the database asked for it. */
    protected long retries() {
        return 0;
    }

    /** What the engine itself finds broken, in words. */
    protected abstract List<String> verify(String ring);

    @Override
    public List<String> rings() {
        return transactor.read(rows -> rows.rings().names());
    }

    @Override
    public Optional<Shape> shape(String ring) {
        return transactor.read(rows -> Optional.ofNullable(stored(rows, ring)));
    }

    @Override
    public long change(String ring, Change change) {
        if (change instanceof Change.Create create) {
            return transactor.write(
                    true,
                    rows ->
                            RingRule.create(
                                    rows, stored(rows, ring), create.spec(), defaultLanes()));
        } else if (change instanceof Change.Drop) {
            return drop(ring);
        }
        return alone(ring, (rows, shape) -> change(rows, shape, change));
    }

    private long drop(String ring) {
        try {
            return alone(ring, (rows, shape) -> delete(rows, shape.id()));
        } catch (RingBroken broken) {
            // It cannot be locked as a whole. What others still do in the parts that are whole is
            // lost with it.
            return transactor.write(true, rows -> delete(rows, id(rows, ring)));
        }
    }

    private static long id(Rows rows, String ring) {
        return rows.rings()
                .id(ring)
                .orElseThrow(() -> NoSuchRing.among(rows.rings().names(), ring));
    }

    private static long delete(Rows rows, long ring) {
        rows.rings().delete(ring);
        return 1;
    }

    private static long change(Rows rows, Shape shape, Change change) {
        if (change instanceof Change.Resize resize) {
            return RingRule.resize(rows, shape, resize);
        } else if (change instanceof Change.AddStage add) {
            return StageRule.add(rows, shape, add);
        } else if (change instanceof Change.RedeclareStage redeclare) {
            return StageRule.redeclare(rows, shape, redeclare);
        } else if (change instanceof Change.Pause pause) {
            return StageRule.pause(rows, shape, pause);
        } else if (change instanceof Change.Rewind rewind) {
            return StageRule.rewind(rows, shape, rewind);
        } else if (change instanceof Change.RemoveStage remove) {
            return StageRule.remove(rows, shape, remove);
        } else if (change instanceof Change.Purge) {
            return RingRule.purge(rows, shape);
        }
        throw new IllegalArgumentException("no change of a ring that is there: " + change);
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
        boolean pushed =
                transactor.tryWrite(patience, rows -> PushRule.push(rows, find(rows, ring), slots));
        // Only an engine with one writer at a time gives up, and whoever writes there keeps every
        // lane.
        return pushed
                ? Set.of()
                : IntStream.range(0, shape(ring).map(shape -> shape.spec().lanes()).orElse(1))
                        .boxed()
                        .collect(Collectors.toSet());
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
        List<Settled> settled = new ArrayList<>();
        transactor.tryWrite(
                Pause.OTHERS,
                rows -> {
                    settled.clear();
                    trySettle(rows, find(rows, ring), word).ifPresent(settled::add);
                });
        return settled.stream().findFirst();
    }

    private static Optional<Settled> trySettle(Rows rows, Shape shape, Settlement word) {
        SettleRule rule = new SettleRule(rows, shape, word);
        return !rule.isOfRing() || rows.take(shape.id(), word.ticket().lane())
                ? Optional.of(rule.settle())
                : Optional.empty();
    }

    @Override
    public DeadResult dead(String ring, DeadRequest request) {
        if (request.action() == DeadRequest.Action.LIST) {
            return transactor.read(rows -> new DeadRule(rows, find(rows, ring), request).apply());
        }
        return alone(ring, (rows, shape) -> new DeadRule(rows, shape, request).apply());
    }

    @Override
    public Survey survey(String ring, boolean verify) {
        // Before the transaction: a pool may have a single connection.
        List<String> own = verify ? verify(ring) : List.of();
        long size = size();
        Function<Rows, Survey> work =
                rows -> {
                    Shape shape = find(rows, ring);
                    List<String> broken = new ArrayList<>(own);
                    if (verify) {
                        broken.addAll(new Audit(rows, shape).findings());
                    }
                    return new SurveyRule(rows, shape).take(size, retries(), broken);
                };
        return verify ? transactor.readAtLength(work) : transactor.read(work);
    }

    private <T> T write(boolean durable, String ring, BiFunction<Rows, Shape, T> work) {
        return transactor.write(durable, rows -> work.apply(rows, find(rows, ring)));
    }

    private <T> T alone(String ring, BiFunction<Rows, Shape, T> work) {
        return write(
                true,
                ring,
                (rows, shape) -> {
                    rows.holdAll(shape.id());
                    return work.apply(rows, shape);
                });
    }

    /** The shape that the store has; null if there is no such ring. */
    private static Shape stored(Rows rows, String ring) {
        try {
            return rows.rings().find(ring);
        } catch (IllegalArgumentException broken) {
            // Nobody could have declared it so.
            throw new RingBroken(ring, broken.getMessage(), broken);
        }
    }

    private static Shape find(Rows rows, String ring) {
        Shape shape = stored(rows, ring);
        if (shape == null) {
            throw NoSuchRing.among(rows.rings().names(), ring);
        }
        return shape;
    }
}
