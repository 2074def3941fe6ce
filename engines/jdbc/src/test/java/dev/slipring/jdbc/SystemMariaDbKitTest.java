// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** The kit. */
class SystemMariaDbKitTest extends ServerKit {

    SystemMariaDbKitTest() {
        super(ServerFiles.MARIADB_OF_SYSTEM);
    }
}
