// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.DriverManager;
import java.util.concurrent.TimeUnit;

/** Lets commits not wait for the disk on a MariaDB, and stays so until it is ended. */
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
