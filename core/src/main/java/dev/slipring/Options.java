// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Opening;
import dev.slipring.engine.Passwords;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Names;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import javax.sql.DataSource;

/**
 * How a store is opened and used. Immutable.
 *
 * @param url where the store is, or null if there is a data source
 * @param dataSource where connections come from, or null if there is a URL
 * @param dialect the engine for the data source, or null
 * @param clock the clock of stores that have none of their own
 * @param listener hears what happens
 * @param pushTimeout how long a push waits for room and for a kept lane, unless the call says
 * @param maxMessageBytes a message whose body, key and headers are larger is refused
 * @param journalBytes how many bytes of messages may wait in memory to be written, for each ring
 * @param worker what workers of this process are called in the store
 * @param migrate whether to make or upgrade the schema when the store is opened
 * @param existing whether to refuse a store that is not there yet, where opening would make it
 */
public record Options(
        String url,
        DataSource dataSource,
        String dialect,
        InstantSource clock,
        Listener listener,
        Duration pushTimeout,
        long maxMessageBytes,
        long journalBytes,
        String worker,
        boolean migrate,
        boolean existing) {

    /** Waits for ever. */
    public static final Duration FOREVER = Duration.ofDays(36_500);

    public Options {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
        Names.checkWorker(worker);
        if (pushTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "a push time-out of " + pushTimeout + "; use zero to return at once");
        } else if (maxMessageBytes < 1) {
            throw new IllegalArgumentException(
                    "messages of at most " + maxMessageBytes + " bytes; use 1 or more");
        } else if (journalBytes < 1) {
            throw new IllegalArgumentException(
                    "room for " + journalBytes + " bytes in the journal; use 1 or more");
        }
    }

    /**
     * A URL, and the defaults: a push waits 30 seconds, 64 MiB a message, 32 MiB in the journal.
     */
    public static Options url(String url) {
        return defaults(Objects.requireNonNull(url, "url"), null, null);
    }

    /**
     * A data source for an engine, and the defaults. A pool should have three connections at least
     * beside those of your own transactions: one of them is kept to hear of other processes.
     * Slipring commits on its connections at once. So it must not be a data source that hands out
     * the connection of the thread's own transaction: such a connection is refused if something is
     * open in it.
     *
     * @param dialect the engine by its name: {@code sqlite}, {@code postgresql}, {@code mariadb},
     *     {@code mysql} or {@code sqlserver}
     */
    public static Options dataSource(DataSource dataSource, String dialect) {
        return defaults(
                null,
                Objects.requireNonNull(dataSource, "dataSource"),
                Objects.requireNonNull(dialect, "dialect"));
    }

    private static Options defaults(String url, DataSource dataSource, String dialect) {
        return new Options(
                url,
                dataSource,
                dialect,
                InstantSource.system(),
                Listener.NONE,
                Duration.ofSeconds(30),
                64 << 20,
                32 << 20,
                "pid-" + ProcessHandle.current().pid(),
                true,
                false);
    }

    /** These options with another clock, for stores that have none of their own. */
    public Options clock(InstantSource newClock) {
        return with(draft -> draft.clock = newClock);
    }

    /** These options with a listener. */
    public Options listener(Listener newListener) {
        return with(draft -> draft.listener = newListener);
    }

    /** These options with another wait for room and for kept lanes; zero: not at all. */
    public Options pushTimeout(Duration newTimeout) {
        return with(draft -> draft.pushTimeout = newTimeout);
    }

    /**
     * These options with another bound for the size of a message, 1 byte or more with its key and
     * headers; an engine may refuse what is larger than it can store.
     */
    public Options maxMessageBytes(long newBytes) {
        return with(draft -> draft.maxMessageBytes = newBytes);
    }

    /**
     * These options with another bound for what waits in memory to be written, 1 byte or more; the
     * last push that is taken may exceed it.
     */
    public Options journalBytes(long newBytes) {
        return with(draft -> draft.journalBytes = newBytes);
    }

    /**
     * These options with another name for the workers, 1 to 200 characters, for people who look.
     */
    public Options worker(String newWorker) {
        return with(draft -> draft.worker = newWorker);
    }

    /** These options for a store whose schema is not to be touched. */
    public Options withoutMigration() {
        return with(draft -> draft.migrate = false);
    }

    /** These options for a store that must be there. */
    public Options existingOnly() {
        return with(draft -> draft.existing = true);
    }

    private Options with(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return new Options(
                url,
                dataSource,
                dialect,
                draft.clock,
                draft.listener,
                draft.pushTimeout,
                draft.maxMessageBytes,
                draft.journalBytes,
                draft.worker,
                draft.migrate,
                draft.existing);
    }

    /** What of these options may be changed. */
    private final class Draft {

        private InstantSource clock = Options.this.clock;
        private Listener listener = Options.this.listener;
        private Duration pushTimeout = Options.this.pushTimeout;
        private long maxMessageBytes = Options.this.maxMessageBytes;
        private long journalBytes = Options.this.journalBytes;
        private String worker = Options.this.worker;
        private boolean migrate = Options.this.migrate;
        private boolean existing = Options.this.existing;
    }

    /** Messages, none of which is too large. */
    List<Message> checked(Collection<Message> messages) {
        Objects.requireNonNull(messages, "messages");
        messages.forEach(message -> Objects.requireNonNull(message, "message"));
        List<Message> taken = List.copyOf(messages);
        for (Message message : taken) {
            long size = SlotCodec.size(message);
            if (size > maxMessageBytes) {
                throw new IllegalArgumentException(
                        "a message of "
                                + size
                                + " bytes is larger than the "
                                + maxMessageBytes
                                + " that are allowed; nothing was pushed");
            }
        }
        return taken;
    }

    /** The options without the password of the URL. */
    @Override
    public String toString() {
        return "Options["
                + (url == null ? dialect : Passwords.maskedUrl(url))
                + ", worker="
                + worker
                + ", pushTimeout="
                + pushTimeout
                + "]";
    }

    Opening opening() {
        return new Opening(url, dataSource, clock, migrate, existing);
    }
}
