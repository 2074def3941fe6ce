// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.Schema;
import dev.slipring.SlipringException;
import dev.slipring.engine.Capability;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.JoinedLedger;
import dev.slipring.ledger.LedgerStore;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A store on a server. */
final class JdbcStore extends LedgerStore {

    private static final int LANES = 8;

    /**
     * How often a push is tried that did not get its lane, although no lane was kept when that was
     * looked at.
     */
    private static final int MOST_AGAIN = 3;

    private final JdbcTransactor transactor;
    private final ServerWatch watch;
    private final Procedures procedures;

    /** Looked for apart from the others: a schema of an earlier day has all but these. */
    private final Procedures extensions;

    /** The same store, but it fails where this one waits for whoever keeps rows locked. */
    private final JdbcStore impatient;

    JdbcStore(JdbcTransactor transactor) {
        super(transactor, true);
        this.transactor = transactor;
        watch = new ServerWatch(transactor);
        procedures = new Procedures(transactor);
        extensions = new Procedures(transactor);
        impatient = new JdbcStore(this, transactor.impatient());
    }

    /** The same store for pushes that are not to wait; it has no such store of its own. */
    private JdbcStore(JdbcStore store, JdbcTransactor hasty) {
        super(hasty, true);
        transactor = store.transactor;
        watch = store.watch;
        procedures = new Procedures(hasty);
        extensions = procedures;
        impatient = null;
    }

    JdbcTransactor transactor() {
        return transactor;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.DURABLE, Capability.SHARED, Capability.JOIN, Capability.LANES);
    }

    @Override
    public Schema schema() {
        return JdbcSchema.of(transactor);
    }

    @Override
    protected int defaultLanes() {
        return LANES;
    }

    @Override
    protected long size() {
        Answer<Long> size = new Answer<>(-1L, row -> row.getLong(1));
        transactor.ask(new Script().read(transactor.dialect().sizeQuery(), size));
        return size.value();
    }

    @Override
    protected long retries() {
        return transactor.retries();
    }

    /** Fails where rows of lanes or strands are lost: no audit could read such a ring. */
    @Override
    protected List<String> verify(String ring) {
        LostRows.check(transactor::ask, ring);
        List<String> wrong = new ArrayList<>();
        transactor
                .dialect()
                .wrongQuery()
                .map(query -> new Script().read(query, row -> wrong.add(row.getString(1))))
                .ifPresent(transactor::ask);
        return wrong;
    }

    @Override
    public void push(String ring, List<Slot> slots) {
        Shape shape = slots.size() == 1 ? procedures.shape(ring) : null;
        PushCall call = shape == null ? null : new PushCall(procedures, shape, slots.get(0));
        if (call == null || !call.push()) {
            super.push(ring, slots);
        } else if (call.foundIt()) {
            // What it finds is as safe as a push once this returns.
            pushed(ring, slots.get(0).producer());
        }
        if (Producers.isDue(slots.get(0))) {
            Shape known = procedures.memo().shapes().get(ring);
            if (known != null) {
                new Producers(transactor).forgetOld(known.id(), slots.get(0).producer());
            }
        }
    }

    @Override
    public Set<Integer> tryPush(String ring, List<Slot> slots, Duration patience) {
        for (int again = 0; again < MOST_AGAIN; again++) {
            try {
                impatient.push(ring, slots);
                return Set.of();
            } catch (LockWaitOver locked) {
                Set<Integer> kept = keptLanes(ring);
                kept.retainAll(keptLanes(ring));
                if (!kept.isEmpty()) {
                    return kept;
                }
            }
        }
        // What is locked is not a lane. Push with patience: the error will name it.
        push(ring, slots);
        return Set.of();
    }

    /** The lanes that others keep now, if only for a moment. */
    private Set<Integer> keptLanes(String ring) {
        Set<Integer> kept = new TreeSet<>();
        shape(ring)
                .ifPresent(
                        shape -> {
                            // The ring may have been short of room then; by now it may have enough.
                            transactor.memo().margins().learn(shape.id(), false);
                            transactor.persist(
                                    own -> {
                                        kept.clear();
                                        kept.addAll(Placing.kept(own, shape));
                                        return null;
                                    });
                        });
        return kept;
    }

    @Override
    public Claimed claim(String ring, ClaimRequest request) {
        Shape shape = shapeForCalls(ring, request.stage());
        if (shape == null) {
            return super.claim(ring, request);
        }
        MoveCall move = new MoveCall(procedures, shape, request);
        Claimed moved = move.claim();
        if (moved == null) {
            return look(ring, shape, request);
        }
        return move.mustLook() ? claimBehind(ring, request, moved) : moved;
    }

    /** Claims from any lane. */
    private Claimed look(String ring, Shape shape, ClaimRequest request) {
        Claimed claimed =
                new ClaimCall(procedures, shape, request).claim(word -> super.settle(ring, word));
        if (claimed == null) {
            procedures.memo().home(shape.id()).bypassed();
            claimed = super.claim(ring, request);
        }
        return claimed;
    }

    /** Claims after a word that was taken. */
    private Claimed claimBehind(String ring, ClaimRequest request, Claimed moved) {
        try {
            return claim(ring, request.alone()).behind(moved.before());
        } catch (SlipringException e) {
            return Claimed.unseen(moved.before(), e);
        }
    }

    @Override
    public Settled settle(String ring, Settlement word) {
        Shape shape = shapeForCalls(ring, word.ticket().stage());
        Settled settled = null;
        if (shape != null && word.isPlain()) {
            ClaimRequest request = new ClaimRequest(word.ticket().stage(), 1, "", word);
            settled = new MoveCall(procedures, shape, request).settle();
            if (settled == null) {
                settled = new ClaimCall(procedures, shape, request).settle();
            }
        } else if (shape != null) {
            procedures.memo().home(shape.id()).bypassed();
            settled = new ExtendCall(extensions, shape, word).settle(true);
        }
        return settled == null ? super.settle(ring, word) : settled;
    }

    @Override
    public Optional<Settled> trySettle(String ring, Settlement word) {
        Shape shape = shapeForCalls(ring, word.ticket().stage());
        if (shape != null) {
            procedures.memo().home(shape.id()).bypassed();
            ExtendCall call = new ExtendCall(extensions, shape, word);
            Settled settled = call.settle(false);
            if (settled != null || call.isKept()) {
                return Optional.ofNullable(settled);
            }
        }
        return super.trySettle(ring, word);
    }

    /**
     * The shape for a call of a procedure; null if the ledger is to do it, as where a stage that
     * was added lately is not known here.
     */
    private Shape shapeForCalls(String ring, String stage) {
        Shape shape = procedures.shape(ring);
        return shape != null && shape.spec().stages().names().contains(stage) ? shape : null;
    }

    @Override
    public Store join(Connection transaction) {
        return new JoinedLedger(this, transactor.join(transaction));
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return watch.listen(changed);
    }

    @Override
    public void close() {
        watch.close();
        transactor.sessions().close();
    }
}
