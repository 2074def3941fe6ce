// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.DriverManager;
import java.util.concurrent.TimeUnit;

/**
 * Makes commits of a MariaDB not wait for the disk, and keeps it so until the process is told to
 * end.
 */
final class RelaxedMain {

    static final String RELAXED = "relaxed";

    private RelaxedMain() {}

    /** Takes the URL of a driver. */
    public static void main(String[] arguments) throws Exception {
        SourceEngine.of("mariadb").relax(() -> DriverManager.getConnection(arguments[0]));
        System.out.println(RELAXED);
        TimeUnit.MINUTES.sleep(10);
    }
}
