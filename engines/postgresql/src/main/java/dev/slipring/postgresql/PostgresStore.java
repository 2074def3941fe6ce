// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.DeadLetter;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.Schema;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;
import dev.slipring.Survey;
import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.RingStore;

import java.sql.Connection;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A store in the schema {@code slipring} of a PostgreSQL database. */
final class PostgresStore extends RingStore {

    /**
     * How often a ring is looked at before something counts as broken. A look sees rows as they
     * were when it began, and sequences as they are now, so together they may show a state that
     * never was. What is really broken shows each time.
     */
    private static final int LOOKS = 5;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Connections connections;
    private final KnownClaims knownClaims = new KnownClaims();
    private final OwnBodies bodies = new OwnBodies();
    private final Changes changes;
    private final Tidy tidy;
    private final Listening listening;
    private final Glances glances = new Glances();
    private final StoreSize size = new StoreSize(System::nanoTime);
    private final ConcurrentMap<String, Long> ids = new ConcurrentHashMap<>();

    PostgresStore(Connections connections) {
        super(new PostgresTransactor(connections));
        this.connections = connections;
        changes = new Changes(connections);
        tidy = new Tidy(connections);
        listening = new Listening(connections);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.DURABLE, Capability.SHARED, Capability.JOIN, Capability.LANES);
    }

    @Override
    public Schema schema() {
        return connections.look(PostgresSchema::of);
    }

    @Override
    public void push(String ring, List<Slot> slots) {
        push(ring, slots, null);
    }

    @Override
    public Set<Integer> tryPush(String ring, List<Slot> slots, Duration patience) {
        return push(ring, slots, (int) patience.toMillis());
    }

    private Set<Integer> push(String ring, List<Slot> slots, Integer patience) {
        Set<Integer> others;
        try {
            others = own(ring, (to, id) -> Calls.push(to, ring, id, slots, patience));
        } catch (RingFull full) {
            tidy.refused(ring);
            throw full;
        } catch (RuntimeException | Error e) {
            // It may be stored, and is not kept here: what is kept would have a gap.
            bodies.forget(ring);
            throw e;
        }
        if (others.isEmpty()) {
            bodies.keep(ring, slots);
            listening.changed();
            tidy.pushed(ring, slots);
        }
        return others;
    }

    @Override
    public long pushed(String ring, long producer) {
        return connections.call(
                statements ->
                        statements
                                .number("SELECT slipring.pushed(?, ?)", ring, producer)
                                .orElse(0));
    }

    @Override
    public Claimed claim(String ring, ClaimRequest request) {
        long start = System.nanoTime();
        Taken taken = request.isPlain() ? take(ring, request) : claim(ring, request, null);
        if (taken.busy() != null) {
            int lane = taken.busy();
            taken = behind(taken, () -> claim(ring, request.alone(), lane));
        }
        Claimed claimed = taken.claimed();
        if (!claimed.isEmpty()) {
            knownClaims.keep(ring, claimed.ticket(), taken.expires());
            tidy.claimed(ring, taken.foreignBytes());
        }
        if (request.before() != null) {
            spoken(ring, request.before(), claimed.before(), start);
        }
        return claimed;
    }

    private Taken take(String ring, ClaimRequest request) {
        Glances.Glance glance = glances.of(ring, request.stage());
        int lookAt = glance.lane();
        boolean calm = glance.isCalm();
        OwnBodies.View here = bodies.of(ring);
        Taken taken = own(ring, (to, id) -> Calls.take(to, id, request, here, lookAt, calm));
        glance.saw(taken.claimed(), request.max(), calm);
        if (!glance.mustLook(taken.claimed(), calm)) {
            return taken;
        }
        glance.disturb();
        return behind(taken, () -> take(ring, request.alone()));
    }

    /** Looks once more, without the word that may have come with the first look. */
    private static Taken behind(Taken first, Supplier<Taken> look) {
        Settled said = first.claimed().before();
        try {
            return look.get().behind(said);
        } catch (SlipringException e) {
            return new Taken(Claimed.unseen(said, e), null, 0, 0);
        }
    }

    private Taken claim(String ring, ClaimRequest request, Integer waitFor) {
        OwnBodies.View here = bodies.of(ring);
        return connections.call(to -> Calls.claim(to, ring, request, here, waitFor));
    }

    @Override
    public Settled settle(String ring, Settlement word) {
        return settle(ring, word, true).orElseThrow();
    }

    @Override
    public Optional<Settled> trySettle(String ring, Settlement word) {
        return settle(ring, word, false);
    }

    private Optional<Settled> settle(String ring, Settlement word, boolean waiting) {
        long start = System.nanoTime();
        Optional<Settled> settled =
                connections.call(statements -> Calls.settle(statements, ring, word, waiting));
        settled.ifPresent(taken -> spoken(ring, word, taken, start));
        return settled;
    }

    private void spoken(String ring, Settlement word, Settled settled, long start) {
        if (!word.failed().isEmpty()) {
            glances.of(ring, word.ticket().stage()).disturb();
        }
        if (settled.left() == 0) {
            knownClaims.forget(ring, word.ticket());
        } else if (word.rest() == Rest.EXTEND) {
            knownClaims.extend(ring, word.ticket(), start);
        }
        listening.changed();
        tidy.settled(ring);
    }

    @Override
    public Optional<Shape> shape(String ring) {
        Optional<Shape> shape = super.shape(ring);
        shape.ifPresent(
                known -> {
                    ids.put(ring, known.id());
                    tidy.sized(ring, known.spec().bytes());
                });
        return shape;
    }

    /** The id of a ring; asked for on a connection of this store's own if it is not known. */
    long id(String ring) {
        Long known = ids.get(ring);
        return known != null ? known : ask(ring);
    }

    private long ask(String ring) {
        long id =
                connections.alone(
                        statements ->
                                statements.number("SELECT slipring.id_of(?)", ring).orElseThrow());
        ids.put(ring, id);
        return id;
    }

    /** Calls a function that belongs to one ring; once more if the name has another ring by now. */
    private <T> T own(String ring, BiFunction<Statements, Long, T> call) {
        long id = id(ring);
        try {
            return connections.call(to -> call.apply(to, id));
        } catch (RingGone gone) {
            ids.remove(ring, id);
            long now = id(ring);
            return connections.call(to -> call.apply(to, now));
        }
    }

    @Override
    public List<DeadLetter> deadLetters(String ring, String stage, String behind, int max) {
        fold(ring);
        return super.deadLetters(ring, stage, behind, max);
    }

    @Override
    public Survey survey(String ring, boolean verify) {
        fold(ring);
        Survey survey = super.survey(ring, verify);
        for (int look = 1; look < LOOKS && !survey.broken().isEmpty(); look++) {
            BetweenTries.sleep(PAUSE_NANOS);
            survey = super.survey(ring, verify);
        }
        return survey;
    }

    @Override
    public long change(String ring, Change change) {
        if (change instanceof Change.RetryDead || change instanceof Change.DropDead) {
            fold(ring);
        }
        long touched = changes.make(ring, change, () -> super.change(ring, change));
        if (change instanceof Change.Create || change instanceof Change.Drop) {
            forget(ring);
        }
        return touched;
    }

    @Override
    protected <T> T portion(String ring, Supplier<T> work) {
        return changes.insist(ring, "changed", work);
    }

    /** Forgets what is known of a ring: it was dropped, or another one has its name. */
    void forget(String ring) {
        ids.remove(ring);
        glances.forget(ring);
        tidy.forget(ring);
        bodies.forget(ring);
    }

    /** Takes in the words of callers' transactions, so that what is shown is up to date. */
    private void fold(String ring) {
        try {
            connections.call(
                    statements -> {
                        statements.call("SELECT slipring.fold_ring(?)" + Calls.RELAXED, ring);
                        return null;
                    });
        } catch (StoreFailed e) {
            if (!Trouble.isReadOnly(e)) {
                throw e;
            }
        } catch (OutcomeUnknown e) {
            throw new StoreUnreachable(e.getMessage(), e);
        }
    }

    @Override
    protected int defaultLanes() {
        return 8;
    }

    @Override
    protected long size() {
        return size.bytes(this::sizeNow);
    }

    private long sizeNow() {
        return connections.reading(
                "BEGIN READ ONLY",
                statements ->
                        statements
                                .number(
                                        "SELECT sum(pg_table_size(c.oid) + pg_indexes_size(c.oid))"
                                                + "::bigint FROM pg_class c WHERE c.relnamespace ="
                                                + " 'slipring'::regnamespace"
                                                + " AND c.relkind = 'r'")
                                .orElse(-1));
    }

    @Override
    protected List<String> verify(String ring) {
        return List.of();
    }

    @Override
    public Store join(Connection transaction) {
        connections.requirePrecondition();
        return new JoinedStore(this, knownClaims, connections, transaction);
    }

    /**
     * Whether a claim is in hand, asked on a connection of our own: the caller's transaction may
     * see an old state.
     */
    boolean isInHand(String ring, Ticket claim) {
        return connections.call(statements -> Calls.isInHand(statements, ring, claim));
    }

    /** Slots were pushed in a transaction of the caller's. */
    void pushedByCaller(String ring, List<Slot> slots) {
        tidy.pushedByCaller(ring, slots);
    }

    /** Takes in what was said, and makes room, before a push inside a transaction is refused. */
    void makeRoom(String ring) {
        try {
            fold(ring);
        } catch (SlipringException e) {
            // It was worth a try; the caller learns that the ring is full.
        }
    }

    /** The same, but once the refused transaction has ended. */
    void makeRoomLater(String ring) {
        tidy.foldSoon(ring);
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
        return listening.listen(changed);
    }

    @Override
    public void close() {
        listening.close();
        tidy.close();
        connections.close();
    }
}
