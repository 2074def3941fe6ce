// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server that runs for all tests of a class, which are left out where its files cannot be had.
 */
final class RunningServer implements BeforeAllCallback, AfterAllCallback {

    private final ServerFiles files;
    private Server server;

    RunningServer(ServerFiles files) {
        this.files = files;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        files.whyNot().ifPresent(why -> Assumptions.abort(files + ": " + why));
        server = Server.start(files);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server != null) {
            server.close();
        }
    }

    Server get() {
        return server;
    }
}
