// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.io.IOException;

/** A log that hands all calls on to another one; tests override what they need. */
class ForwardingLog implements LogSync.LogFile {

    private final LogSync.LogFile log;

    ForwardingLog(LogSync.LogFile log) {
        this.log = log;
    }

    @Override
    public void sync() throws IOException {
        log.sync();
    }

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public void close() {
        log.close();
    }
}
