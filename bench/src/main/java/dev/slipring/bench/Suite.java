// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A bench with contestants of its own, in a jar of its own. If it is on the class path, its names
 * can be used like those of workloads.
 */
public interface Suite {

    /** The suites on the class path. */
    static List<Suite> all() {
        return ServiceLoader.load(Suite.class).stream().map(ServiceLoader.Provider::get).toList();
    }

    /** Whether the name of a workload belongs to this suite. */
    boolean has(String workload);

    /** The names of its workloads, for a list; a part in capitals is to be replaced. */
    List<String> names();

    /**
     * Measures and prints.
     *
     * @param workload its name
     * @param out gets the rows, as a table or as JSON lines
     * @param err gets the progress
     * @return the rows
     */
    List<Row> run(String workload, BenchRequest request, PrintStream out, PrintStream err)
            throws IOException;
}
