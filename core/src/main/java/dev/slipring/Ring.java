// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;
import dev.slipring.graph.Start;
import dev.slipring.journal.Journal;
import dev.slipring.waiting.Ear;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A named, bounded set of lanes: push messages here, get {@linkplain #stage stages} to work on
 * them. Calls that ask the store throw {@link NoSuchRing} once the ring was dropped, and {@link
 * StoreFailed} if the store fails. Thread-safe.
 */
public final class Ring {

    private final Store store;
    private final long id;
    private final String name;
    private final int lanes;
    private final Options options;
    private final Signal signal = new Signal();
    private final Runnable wake = signal::raise;
    private final Watcher watcher;
    private final Ear ear;

    /** For each stage, those who wait for its messages here. */
    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private Journal journal;

    private volatile boolean closed;
    private volatile boolean dropped;

    Ring(Store store, Shape shape, Options options) {
        this.store = store;
        this.id = shape.id();
        this.name = shape.spec().name();
        this.lanes = shape.spec().lanes();
        this.options = options;
        this.watcher = new Watcher(name, options.listener());
        this.ear = new Ear(store, signal);
        if (options.clock() instanceof ManualClock clock) {
            clock.onMove(wake);
        }
    }

    long id() {
        return id;
    }

    /** The ring's name. */
    public String name() {
        return name;
    }

    /** What the ring is declared to be now. */
    public RingSpec spec() {
        return shape().spec();
    }

    private Shape shape() {
        requireThere();
        return store.shape(name).orElseThrow(this::gone);
    }

    private NoSuchRing gone() {
        return new NoSuchRing("ring '" + name + "' was dropped");
    }

    /** Refuses to go on with a ring that was dropped here, as another may have its name now. */
    void requireThere() {
        if (dropped) {
            throw gone();
        }
    }

    /** Pushes a text, encoded as UTF-8, as {@link #push(Message)} does. */
    public void push(String text) {
        push(Message.of(text));
    }

    /**
     * Pushes a message and returns when it is durable. A push by itself costs a whole commit;
     * pushes of many threads share one. It waits as long as {@link Options#pushTimeout} says, 30 s
     * by default, and throws what {@link #push(Message, Duration)} throws.
     */
    public void push(Message message) {
        push(message, options.pushTimeout());
    }

    /**
     * Pushes a message and returns when it is durable. An interrupt does not end this, as the push
     * may be on its way to the disk: the thread is interrupted again when this returns.
     *
     * @param timeout how long to wait for room, and for an open transaction that keeps its lane;
     *     zero or less: not at all; {@link Options#FOREVER}: without limit
     * @throws RingFull if there was no room in time; nothing is stored
     * @throws LaneKept if somebody kept its lane all the time; nothing is stored
     * @throws StoreFailed if the store did not do it; nothing is stored
     * @throws OutcomeUnknown if it may or may not be stored, and nobody could say for 30 s
     * @throws IllegalArgumentException if it is too large
     */
    public void push(Message message, Duration timeout) {
        pushAll(List.of(Objects.requireNonNull(message, "message")), timeout);
    }

    /**
     * Pushes messages in one transaction, all or none, and returns when they are durable. It waits
     * as long as {@link Options#pushTimeout} says, 30 s by default, and throws what {@link
     * #pushAll(Collection, Duration)} throws.
     */
    public void pushAll(Collection<Message> messages) {
        pushAll(messages, options.pushTimeout());
    }

    /**
     * Pushes messages in one transaction, all or none, and returns when they are durable.
     *
     * @param timeout how long to wait for room, and for an open transaction that keeps a lane of
     *     them; zero or less: not at all; {@link Options#FOREVER}: without limit
     * @throws RingFull if there was no room for all in time; none is stored
     * @throws LaneKept if somebody kept a lane of them all the time; none is stored
     * @throws StoreFailed if the store did not do it; none is stored
     * @throws OutcomeUnknown if all or none are stored, and nobody could say which for 30 s
     * @throws IllegalArgumentException if one is too large
     */
    public void pushAll(Collection<Message> messages, Duration timeout) {
        List<Message> taken = checked(messages);
        if (taken.isEmpty()) {
            return;
        }
        try {
            journal().push(taken, Span.nanos(timeout));
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException shared ? Refusal.here(shared) : e;
        }
    }

    /**
     * Takes a message for pushing. The result completes when the message is durable, or
     * exceptionally: with {@link RingFull} or {@link LaneKept} after the push time-out, {@link
     * StoreFailed}, {@link OutcomeUnknown} or {@link NoSuchRing}. If the message is too large, or
     * the ring closed, the call itself throws. It blocks while too many bytes wait in the journal
     * ({@link Options#journalBytes}), also through an interrupt. Messages with the same key from
     * one thread keep their order; those without a key may change lanes.
     *
     * <p>Callbacks run on a thread of the ring, one after the other: they may push, but should be
     * short and must not wait for another such result of this ring. To wait for the result, take
     * its {@code toCompletableFuture()}.
     */
    public CompletionStage<Void> pushAsync(Message message) {
        return pushAsync(message, options.pushTimeout());
    }

    /**
     * Takes a message for pushing, with a time-out of its own, see {@link #pushAsync(Message)}.
     *
     * @param timeout how long the message waits for room, and for an open transaction that keeps
     *     its lane; zero or less: not at all; {@link Options#FOREVER}: without limit
     */
    public CompletionStage<Void> pushAsync(Message message, Duration timeout) {
        Objects.requireNonNull(message, "message");
        return journal()
                .add(checked(List.of(message)), Span.nanos(timeout))
                .minimalCompletionStage();
    }

    /** Messages, none of which is too large. */
    List<Message> checked(Collection<Message> messages) {
        return options.checked(messages);
    }

    /** Refuses to work on a ring that is closed or dropped, or to wait for it. */
    void checkOpen() {
        requireThere();
        if (closed) {
            throw new StoreFailed("ring '" + name + "' is closed");
        }
    }

    /** Whether nothing more can be asked of it here. */
    boolean isClosed() {
        return closed;
    }

    private synchronized Journal journal() {
        checkOpen();
        if (journal == null) {
            journal = new Journal(store, name, lanes, options.journalBytes(), signal, watcher);
        }
        return journal;
    }

    /** The ring for messages of a type. */
    public <T> Typed<T> as(Codec<T> codec) {
        return new Typed<>(this, Objects.requireNonNull(codec, "codec"));
    }

    /**
     * The ring inside a transaction of yours: what is pushed or reported there takes effect when
     * the transaction commits. The calling thread calls the server itself: if it is a virtual
     * thread and is interrupted meanwhile, the connection breaks, and the transaction with it.
     *
     * @param transaction an open transaction on the same database; it is neither committed nor
     *     closed here
     * @throws StoreFailed if the ring is closed
     */
    public Joined join(Connection transaction) {
        Objects.requireNonNull(transaction, "transaction");
        checkOpen();
        // Transactions beside each other push into lanes beside each other.
        int lane = Math.floorMod(System.identityHashCode(transaction), lanes);
        return new Joined(this, lanes, lane, store.join(transaction), transaction);
    }

    /**
     * The only stage; asks the store.
     *
     * @throws IllegalArgumentException if there are several; the message has their names
     */
    public Stage stage() {
        Stages stages = spec().stages();
        if (stages.names().size() > 1) {
            throw new IllegalArgumentException(
                    "ring '"
                            + name
                            + "' has several stages; name one of: "
                            + String.join(", ", stages.names()));
        }
        return stage(stages.names().iterator().next());
    }

    /**
     * A stage that is there; asks the store.
     *
     * @throws NoSuchStage if it is not
     */
    public Stage stage(String stage) {
        Stages stages = spec().stages();
        StageSpec spec = stages.get(stage);
        Line line = lines.computeIfAbsent(stage, any -> new Line());
        Wake waking = new Wake(signal, ear, line);
        Claiming claiming = new Claiming(this, spec, store, waking, watcher, options.worker());
        return new Stage(this, store, claiming);
    }

    /**
     * Adds a stage behind those named, which begins at a start.
     *
     * @throws IllegalArgumentException if one of those is not there, or there is a stage of its
     *     name
     */
    public Stage addStage(StageSpec stage, Set<String> after, Start start) {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(start, "start");
        change(new Change.AddStage(stage, after, start));
        return stage(stage.name());
    }

    /**
     * Adds a stage behind those named if there is none of its name; otherwise takes the stage as it
     * is, whatever it follows. For a program that has a new stage and does so at each start.
     *
     * @throws IllegalArgumentException if one of those named is not there
     */
    public Stage addStageIfMissing(StageSpec stage, Set<String> after, Start start) {
        if (!spec().stages().has(stage.name())) {
            try {
                return addStage(stage, after, start);
            } catch (IllegalArgumentException e) {
                if (!spec().stages().has(stage.name())) {
                    throw e;
                }
                // Somebody else was faster.
            }
        }
        return stage(stage.name());
    }

    /**
     * Changes the capacity. What the ring holds stays; while that is more, every push finds it
     * full.
     *
     * @param messages how many messages it may hold, 1 or more
     * @param bytes how many bytes, 1 or more
     * @throws IllegalArgumentException if either is less
     */
    public void resize(long messages, long bytes) {
        change(new Change.Resize(messages, bytes));
    }

    /** Removes all messages, also those in hand, set aside or dead; returns how many were held. */
    public long purge() {
        return change(new Change.Purge());
    }

    long change(Change change) {
        requireThere();
        long touched = store.change(name, change);
        signal.raise();
        return touched;
    }

    /**
     * What the ring holds, how far each stage is, and what is in hand, set aside or dead. Asks the
     * store, and changes nothing.
     */
    public Survey info() {
        return survey(false);
    }

    private Survey survey(boolean verify) {
        requireThere();
        return store.survey(name, verify);
    }

    /** What is broken in the ring's rows, in words; empty if nothing is. */
    public List<String> check() {
        try {
            return survey(true).broken();
        } catch (RingBroken broken) {
            // Too much is gone to look at the rest.
            return List.of(broken.what());
        }
    }

    /**
     * Waits until what was pushed through this object is durable or refused, and every stage has
     * done all that it can do now: nothing to claim, nothing in hand, no retry due. Dead letters do
     * not count, nor messages that wait for a later retry, nor those that wait behind one in an
     * ordered stage or in the stages that follow it. Messages that wait for a stage that is paused,
     * or that claims nothing new because of what it keeps, do count: then the time runs out. What
     * was left to do then, {@link Survey#undone} says.
     *
     * @return whether that was reached in time; false also if the thread is interrupted
     * @throws IllegalStateException in a listener that is told of a push to the ring
     */
    public boolean drain(Duration timeout) {
        long deadline = System.nanoTime() + Span.nanos(timeout);
        ear.open();
        Journal open;
        synchronized (this) {
            open = journal;
        }
        return new Drain(this, signal, deadline).await(open);
    }

    /** Closes what is not in the store any more. */
    void closeDropped() {
        dropped = true;
        close();
    }

    /** Refuses a listener that hears of a push here: it must not close what it hears from. */
    synchronized void refuseListener(String what) {
        if (journal != null) {
            journal.refuseListener(what);
        }
    }

    void close() {
        Journal open;
        synchronized (this) {
            refuseListener("close the ring");
            closed = true;
            open = journal;
        }
        signal.raise();
        if (options.clock() instanceof ManualClock clock) {
            clock.forget(wake);
        }
        // Not under the lock: a caller who is told what became of his push may push again.
        try (ear) {
            if (open != null) {
                open.close(dropped);
            }
        }
    }
}
