// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.Collection;
import java.util.Objects;
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

    /** A value as a message, for what is not here: headers, a time-out, a transaction. */
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

    /** Takes a value for pushing. */
    public CompletionStage<Void> pushAsync(T value) {
        return ring.pushAsync(message(value));
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
     * Calls a handler on this thread until nothing can be claimed now; for tests.
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
