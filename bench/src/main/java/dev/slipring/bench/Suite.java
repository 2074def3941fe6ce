// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A bench with contestants of its own, in a jar of its own: where it is on the class path, its name
 * can stand in the place of a workload.
 */
public interface Suite {

    /** The suites that are there. */
    static List<Suite> all() {
        return ServiceLoader.load(Suite.class).stream().map(ServiceLoader.Provider::get).toList();
    }

    /** Whether this is what a workload's name stands for. */
    boolean has(String workload);

    /** The names that it stands for, for a list; a part in capitals is to be replaced. */
    List<String> names();

    /**
     * Measures and prints.
     *
     * @param workload its name
     * @param out gets the rows, as a table or as JSON lines
     * @param err gets what is going on
     * @return the rows
     */
    List<Row> run(String workload, BenchRequest request, PrintStream out, PrintStream err)
            throws IOException;
}
