// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.server.ServerFiles;

/** Extensions of claims. */
class MySqlExtensionsTest extends ServerExtensions {

    MySqlExtensionsTest() {
        super(ServerFiles.MYSQL_8);
    }
}
