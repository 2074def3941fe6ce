// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.Message;
import dev.slipring.engine.SlotCodec;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What one caller pushes: all of it in one transaction. */
final class Entry {

    final List<Message> messages;
    final long bytes;
    final long deadlineNanos;
    final CompletableFuture<Void> durable = new CompletableFuture<>();

    /** Messages, and until when ({@link System#nanoTime}) they wait for room. */
    Entry(List<Message> messages, long timeoutNanos) {
        this.messages = messages;
        this.bytes = messages.stream().mapToLong(SlotCodec::size).sum();
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
    }

    boolean isLate() {
        return deadlineNanos - System.nanoTime() <= 0;
    }
}
