// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.engine.SlotCodec;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** What one caller pushes: all of it in one transaction. */
final class Entry {

    final List<Message> messages;
    final long bytes;
    final long deadlineNanos;
    final CompletableFuture<Void> durable = new CompletableFuture<>();

    /** The thread that waits for it and may write it; null if none does. */
    final Thread owner;

    /** Messages, and until when ({@link System#nanoTime}) they wait for room. */
    Entry(List<Message> messages, long timeoutNanos, Thread owner) {
        this.messages = messages;
        this.bytes = SlotCodec.size(messages);
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
        this.owner = owner;
    }

    boolean isLate() {
        return deadlineNanos - System.nanoTime() <= 0;
    }

    boolean isOver() {
        return durable.isDone();
    }

    /** It is durable, or refused with a reason. */
    void end(RuntimeException refusal) {
        if (refusal == null) {
            durable.complete(null);
        } else {
            durable.completeExceptionally(refusal);
        }
        LockSupport.unpark(owner);
    }
}
