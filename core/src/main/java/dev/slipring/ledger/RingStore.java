// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.DeadLetter;
import dev.slipring.NoSuchRing;
import dev.slipring.RingBroken;
import dev.slipring.Survey;
import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store whose rings are looked after by the ledger's rules: made and changed, shown, checked, and
 * their dead letters. How messages go through them is for those who extend it: {@link LedgerStore}
 * has the ledger's rules for that too.
 */
public abstract class RingStore implements Store {

    private final Transactor<? extends RingRows> transactor;

    /**
     * A store.
     *
     * @param transactor runs the work
     */
    protected RingStore(Transactor<? extends RingRows> transactor) {
        this.transactor = transactor;
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
        } else if (change instanceof Change.RetryDead retry) {
            return retry.ids().isEmpty()
                    ? allDead(ring, retry.stage(), DeadRule::retryFrom)
                    : namedDead(ring, retry.stage(), retry.ids(), DeadRule::retry);
        } else if (change instanceof Change.DropDead drop) {
            return drop.ids().isEmpty()
                    ? allDead(ring, drop.stage(), DeadRule::dropFrom)
                    : namedDead(ring, drop.stage(), drop.ids(), DeadRule::drop);
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

    /** A few at a time, so that nobody has to wait until all are through. */
    private long allDead(
            String ring, String stage, BiFunction<DeadRule, AsideCursor, DeadRule.Part> end) {
        long touched = 0;
        AsideCursor next = AsideCursor.first(stage, AsideRow.State.DEAD);
        while (next != null) {
            AsideCursor from = next;
            DeadRule.Part part = dead(ring, stage, rule -> end.apply(rule, from));
            touched += part.touched();
            next = part.next();
        }
        return touched;
    }

    /** The same for those that are named; none of them if one is no id. */
    private long namedDead(
            String ring,
            String stage,
            List<String> ids,
            BiFunction<DeadRule, List<String>, Long> end) {
        DeadRule.checkIds(ids);
        long touched = 0;
        for (int from = 0; from < ids.size(); from += DeadRule.MOST) {
            List<String> some = ids.subList(from, Math.min(from + DeadRule.MOST, ids.size()));
            touched += dead(ring, stage, rule -> end.apply(rule, some));
        }
        return touched;
    }

    private <T> T dead(String ring, String stage, Function<DeadRule, T> end) {
        return portion(
                ring,
                () -> alone(ring, (rows, shape) -> end.apply(new DeadRule(rows, shape, stage))));
    }

    /** Makes a part of a change, which is repeated alone if it fails because others are at work. */
    protected <T> T portion(String ring, Supplier<T> work) {
        return work.get();
    }

    private static long id(RingRows rows, String ring) {
        return rows.rings()
                .id(ring)
                .orElseThrow(() -> NoSuchRing.among(rows.rings().names(), ring));
    }

    private static long delete(RingRows rows, long ring) {
        rows.rings().delete(ring);
        return 1;
    }

    private static long change(RingRows rows, Shape shape, Change change) {
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
    public List<DeadLetter> deadLetters(String ring, String stage, String behind, int max) {
        return transactor.read(
                rows -> new DeadRule(rows, find(rows, ring), stage).letters(behind, max));
    }

    @Override
    public Survey survey(String ring, boolean verify) {
        // Before the transaction: a pool may have a single connection.
        List<String> own = verify ? verify(ring) : List.of();
        long size = size();
        Function<RingRows, Survey> work =
                rows -> {
                    Shape shape = find(rows, ring);
                    List<String> broken = new ArrayList<>(own);
                    if (verify) {
                        broken.addAll(new Audit(rows, shape).findings());
                    }
                    return new SurveyRule(rows, shape).take(size, retries(), broken);
                };
        return verify ? transactor.readAtLength(work::apply) : transactor.read(work::apply);
    }

    private <T> T alone(String ring, BiFunction<RingRows, Shape, T> work) {
        return transactor.write(
                true,
                rows -> {
                    Shape shape = find(rows, ring);
                    rows.holdAll(shape.id());
                    return work.apply(rows, shape);
                });
    }

    /** The shape that the store has; null if there is no such ring. */
    private static Shape stored(RingRows rows, String ring) {
        try {
            return rows.rings().find(ring);
        } catch (IllegalArgumentException broken) {
            // Nobody could have declared it so.
            throw new RingBroken(ring, broken.getMessage(), broken);
        }
    }

    /**
     * The shape that the store has.
     *
     * @throws NoSuchRing if there is no such ring
     */
    static Shape find(RingRows rows, String ring) {
        Shape shape = stored(rows, ring);
        if (shape == null) {
            throw NoSuchRing.among(rows.rings().names(), ring);
        }
        return shape;
    }
}
