// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.Collection;

/**
 * A ring for messages of one type inside a transaction of yours; {@link Joined} says what holds
 * there. For the thread that has the transaction.
 *
 * @param <T> the type
 */
public final class TypedJoined<T> {

    private final Typed<T> typed;
    private final Joined joined;

    TypedJoined(Typed<T> typed, Joined joined) {
        this.typed = typed;
        this.joined = joined;
    }

    /**
     * Pushes a value.
     *
     * @throws RingFull if there is no room
     */
    public void push(T value) {
        joined.push(typed.message(value));
    }

    /**
     * Pushes a value under a key.
     *
     * @throws RingFull if there is no room
     */
    public void push(String key, T value) {
        joined.push(typed.message(value).key(key));
    }

    /**
     * Pushes values.
     *
     * @throws RingFull if there is not room for all
     */
    public void pushAll(Collection<T> values) {
        joined.push(values.stream().map(typed::message).toArray(Message[]::new));
    }

    /**
     * Reports all that is left of the batch as done. Messages of its claim that the codec refuses
     * are not part of it: those of a pool stage fail in the same transaction.
     *
     * @throws Fenced if the lease had run out
     * @throws NotInHand in an ordered stage, if some of it is settled already and the codec refused
     *     what stands behind it
     */
    public void done(Batch<T> batch) {
        joined.say(batch.claim(), batch.allDone());
    }

    /**
     * Reports one of a batch as done.
     *
     * @throws Fenced if the lease had run out
     * @throws NotInHand if it is settled already
     */
    public void done(Batch<T> batch, Batch.Entry<T> entry) {
        joined.done(batch.claim(), entry.delivery());
    }

    /**
     * Reports one of a batch as failed; it is tried again after the stage's back-off, or is dead.
     *
     * @param error what went wrong, in words
     * @throws Fenced if the lease had run out
     * @throws NotInHand if it is settled already
     */
    public void fail(Batch<T> batch, Batch.Entry<T> entry, String error) {
        joined.fail(batch.claim(), entry.delivery(), error);
    }
}
