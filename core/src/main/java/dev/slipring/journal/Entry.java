// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** What one caller pushes: all of it in one transaction. */
final class Entry {

    /** What a slot costs above its messages, for each message and for itself; an upper bound. */
    private static final long PER_MESSAGE = 16;

    private static final long PER_SLOT = 64;

    /** Emptied when the entry is over: it may stay in memory for long until its caller is told. */
    List<Message> messages;

    final long bytes;
    final long deadlineNanos;
    final CompletableFuture<Void> durable = new CompletableFuture<>();

    /** The thread that waits for it and may write it; null if none does. */
    final Thread owner;

    private BitSet lanes;
    private volatile long divertedAt;
    private long divertedNanos;
    private RuntimeException refusal;
    private volatile boolean over;

    /** Messages, and until when ({@link System#nanoTime}) they wait for room. */
    Entry(List<Message> messages, long timeoutNanos, Thread owner) {
        this.messages = messages;
        this.bytes = SlotCodec.size(messages);
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
        this.owner = owner;
    }

    /** How many bytes its slots take at most. */
    long slotBytes() {
        return bytes + PER_MESSAGE * messages.size() + PER_SLOT;
    }

    /** Whether it would fit into a ring if that were empty. */
    boolean fits(RingSpec empty) {
        return messages.size() <= empty.messages()
                && bytes + SlotCodec.overhead(messages.size()) <= empty.bytes();
    }

    /**
     * The lanes of its keys, in a ring of so many lanes. Messages without a key belong to no lane,
     * unless there is only one.
     */
    BitSet lanes(int of) {
        if (lanes == null) {
            BitSet found = new BitSet(of);
            for (Message message : messages) {
                if (message.key() != null || of == 1) {
                    found.set(of == 1 ? 0 : Lanes.of(message.key(), of));
                }
            }
            lanes = found;
        }
        return lanes;
    }

    /**
     * It waits on the detour, for somebody who keeps its lane: its owner is no writer any more.
     *
     * @param when since when, by a clock that counts from 1
     */
    void divert(long when) {
        divertedNanos = System.nanoTime();
        divertedAt = when;
    }

    /** The time ({@link System#nanoTime}) since when it waits elsewhere, if it does. */
    long divertedNanos() {
        return divertedNanos;
    }

    /** Since when it waits elsewhere; 0 if it does not. */
    long divertedAt() {
        return divertedAt;
    }

    boolean isDiverted() {
        return divertedAt > 0;
    }

    boolean isLate() {
        return deadlineNanos - System.nanoTime() <= 0;
    }

    boolean isOver() {
        return over;
    }

    /** It is durable, or refused with a reason; the thread that waits for it is woken. */
    void end(RuntimeException why) {
        refusal = why;
        messages = List.of();
        over = true;
        LockSupport.unpark(owner);
    }

    /** Tells what became of it; runs what its caller wants to be done then. */
    void tell() {
        if (refusal == null) {
            durable.complete(null);
        } else {
            durable.completeExceptionally(refusal);
        }
    }
}
