// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.engine.Waits;

import java.util.List;
import java.util.Optional;

/** What a URL stands for in the bench: an engine, and the systems that are measured on it. */
public interface Target {

    /** The target of a URL; refuses one that cannot be measured, in words. */
    static Target of(String url) {
        if (url.equals("memory:") || url.equals("memory")) {
            return new MemoryTarget();
        }
        String plain = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        if (plain.startsWith("sqlite:")) {
            return SqliteTarget.of(plain);
        }
        if (plain.startsWith("postgresql://") || plain.startsWith("postgres://")) {
            return new PostgresTarget(plain);
        }
        if (ServerTarget.accepts(plain)) {
            return ServerTarget.of(plain);
        }
        throw new IllegalArgumentException(
                "bench cannot measure this URL yet; URLs look like: sqlite:FILE, memory:,"
                        + " postgresql://user:password@host:port/database,"
                        + " mariadb://user:password@host:port/database, mysql://…");
    }

    /**
     * Opens a ring in a place of its own, only to see that the URL is good and the server allows
     * it.
     *
     * @throws IllegalArgumentException if the URL is no good
     */
    default void check() throws Exception {
        // Connects first as every command does, so that an error has the same words.
        waits().ifPresent(Waits::close);
        Contender ring = contenders().get(0);
        try (Place place = ring.place()) {
            ring.open(place, new Plan(1000, 1)).close();
        }
    }

    /** The engine's name. */
    String engine();

    /** The systems as they are set by default. */
    List<Contender> contenders();

    /** The systems, with some of them a second time in another setting. */
    default List<Contender> variants() {
        return contenders();
    }

    /** The systems, and those that only hand single messages to handlers on their own threads. */
    default List<Contender> handlers() {
        return contenders();
    }

    /** The systems that another process can push to. */
    default List<Contender> shared() {
        return List.of();
    }

    /**
     * The systems whose push can take part in a transaction; their places are {@link
     * PostgresPlace}.
     */
    default List<Contender> joining() {
        return List.of();
    }

    /** The systems whose tables a long transaction of MariaDB or MySQL can read. */
    default List<Contender> readable() {
        return List.of();
    }

    /** How many messages may wait in a queue without harm. */
    long mostWaiting();

    /** The same target with commits that do not wait for the disk, if that is set in the URL. */
    default Target relaxed() {
        return this;
    }

    /** What the server waits for, by its own figures; empty where there is no server. */
    default Optional<Waits> waits() {
        return Optional.empty();
    }

    /**
     * The server's version, and the settings that decide how fast it can be; empty if there is no
     * server.
     */
    default String server() {
        return "";
    }

    /** The kind of file system that the messages are on; empty if that is not known, or none. */
    default String fileSystem() {
        return "";
    }
}
