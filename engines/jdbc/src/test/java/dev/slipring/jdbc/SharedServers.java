// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.util.EnumMap;
import java.util.Map;

/** Servers for those tests of a class that leave the settings of theirs as they are. */
final class SharedServers implements AfterAllCallback {

    private final Map<ServerFiles, Server> running = new EnumMap<>(ServerFiles.class);

    /** The server that those files start; a test is skipped where they are not available. */
    Server of(ServerFiles files) {
        files.whyNot().ifPresent(Assumptions::abort);
        return running.computeIfAbsent(files, Server::start);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        running.values().forEach(Server::close);
    }
}
