// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.sql.Connection;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A ring for messages of one type. Thread-safe.
 *
 * @param <T> the type
 */
public final class Typed<T> {

    private final Ring ring;
    private final Codec<T> codec;

    Typed(Ring ring, Codec<T> codec) {
        this.ring = ring;
        this.codec = codec;
    }

    /**
     * Handles a value.
     *
     * @param <T> its type
     */
    @FunctionalInterface
    public interface Handler<T> {

        /**
         * Handles a value; if it throws, the message failed.
         *
         * @param value what was pushed
         * @param delivery how it came
         */
        void handle(T value, Delivery delivery) throws Exception;
    }

    /**
     * Handles the values of a claim.
     *
     * @param <T> their type
     */
    @FunctionalInterface
    public interface BatchHandler<T> {

        /**
         * Handles values. Those on which it reports nothing are done when it returns, and have
         * failed when it throws. If it has reported through a transaction ({@link Typed#join}),
         * what is left when it returns is given back, as {@link dev.slipring.BatchHandler} says.
         */
        void handle(Batch<T> batch) throws Exception;
    }

    /** The ring itself. */
    public Ring ring() {
        return ring;
    }

    /** A value as a message, for what is not here: headers, a time-out. */
    public Message message(T value) {
        return Message.of(codec.encode(value));
    }

    /**
     * The value of a message that was claimed.
     *
     * @throws IllegalArgumentException if the codec refuses its body
     */
    public T value(Delivery delivery) {
        return codec.decode(delivery.body());
    }

    /**
     * The value of a message, for whoever looks at many of which some may be bad, as at dead
     * letters; empty if the codec refuses its body.
     */
    public Optional<T> valueIfAny(Delivery delivery) {
        try {
            return Optional.ofNullable(value(delivery));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }

    /** Pushes a value and returns when it is durable. */
    public void push(T value) {
        ring.push(message(value));
    }

    /** Pushes a value under a key and returns when it is durable. */
    public void push(String key, T value) {
        ring.push(message(value).key(key));
    }

    /** Pushes values in one transaction and returns when they are durable. */
    public void pushAll(Collection<T> values) {
        ring.pushAll(values.stream().map(this::message).toList());
    }

    /** Takes a value for pushing, see {@link Ring#pushAsync(Message)}. */
    public CompletionStage<Void> pushAsync(T value) {
        return ring.pushAsync(message(value));
    }

    /** Takes a value for pushing under a key, see {@link Ring#pushAsync(Message)}. */
    public CompletionStage<Void> pushAsync(String key, T value) {
        return ring.pushAsync(message(value).key(key));
    }

    /**
     * The ring inside a transaction of yours, see {@link Ring#join}.
     *
     * @throws StoreFailed if the ring is closed
     */
    public TypedJoined<T> join(Connection transaction) {
        return new TypedJoined<>(this, ring.join(transaction));
    }

    /** Works on a stage; a body that the codec refuses has failed. */
    public Workers work(String stage, int threads, Handler<T> handler) {
        return work(stage, WorkOptions.threads(threads), handler);
    }

    /** Works on a stage; a body that the codec refuses has failed. */
    public Workers work(String stage, WorkOptions how, Handler<T> handler) {
        return ring.stage(stage).work(how, ofMessages(handler));
    }

    /**
     * Works on a stage, claim by claim. A body that the codec refuses has failed, by itself: the
     * handler gets the others of its claim; in an ordered stage those before it, if there are any.
     */
    public Workers workBatches(String stage, WorkOptions how, BatchHandler<T> handler) {
        return ring.stage(stage).workBatches(how, codec, handler);
    }

    /**
     * Calls a handler on this thread until nothing can be claimed now, see {@link Stage#drain}; for
     * tests.
     *
     * @return how many messages it was called for, with those that the codec refused
     */
    public long drain(String stage, Handler<T> handler) {
        return ring.stage(stage).drain(ofMessages(handler));
    }

    private dev.slipring.Handler ofMessages(Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return delivery -> handler.handle(value(delivery), delivery);
    }
}
