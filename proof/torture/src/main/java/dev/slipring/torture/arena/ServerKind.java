// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A kind of server that the torture can start: its programs and their options. */
interface ServerKind {

    /** The kind that a URL with a name and a folder asks for. */
    static Optional<ServerKind> of(String url) {
        return List.<ServerKind>of(new PostgresKind(), new MySqlKind(true), new MySqlKind(false))
                .stream()
                .filter(kind -> url.startsWith(kind.scheme() + ":"))
                .findFirst();
    }

    /** The name at the front of its URLs; the folder of its programs has the same name. */
    String scheme();

    /** The server's program within its folder, as {@code bin/postgres}. */
    String program();

    /** Where the system may have the folders of its programs. */
    List<Path> ofSystem() throws IOException;

    /** Makes a data folder. */
    void initialize(Path home, Path data, Path log) throws IOException, InterruptedException;

    /** The command that starts a server with settings as durable as in production. */
    List<String> command(Path home, Path data, int port);

    /** The same kind, set so that it goes on soon after its disk was full for a while. */
    default ServerKind onFullDisk() {
        return this;
    }

    /** Whether memory that its processes share outlives them if they are killed. */
    default boolean keepsMemoryWhenKilled() {
        return false;
    }

    /** The address of a database of a new server. */
    ServerAddress address(int port, String database);

    /** A database that is there from the start. */
    String firstDatabase();
}
