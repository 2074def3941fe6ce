// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server that runs for all tests of a class, which are left out where its files cannot be had.
 */
public final class RunningServer implements BeforeAllCallback, AfterAllCallback {

    private final ServerFiles files;
    private Server server;

    /** The server that those files start. */
    public RunningServer(ServerFiles files) {
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

    /** The server; only while it runs. */
    public Server get() {
        return server;
    }
}
