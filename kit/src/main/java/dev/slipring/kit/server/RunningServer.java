// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server that runs for all tests of a class. They are skipped where its files are not available.
 */
public final class RunningServer implements BeforeAllCallback, AfterAllCallback {

    private final ServerFiles files;
    private final String[] options;
    private Server server;

    /** The server that those files start, with options of its own. */
    public RunningServer(ServerFiles files, String... options) {
        this.files = files;
        this.options = options;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        files.whyNot().ifPresent(why -> Assumptions.abort(files + ": " + why));
        server = Server.start(files, options);
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
