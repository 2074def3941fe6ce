// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.Target;

import java.util.List;

/**
 * The cycle in batches of 1,000, before and while a transaction at REPEATABLE READ is open that has
 * read all tables of the queue, as a backup or a report does. The server has to keep all that this
 * transaction could still ask for.
 *
 * <pre>
 *     1 thread, push 1,000 --&gt; [ ring of 20,000 ] --&gt; 1 worker, claim 1,000, done
 *     somebody else:   START TRANSACTION; SELECT COUNT(*) ...             (no COMMIT)
 * </pre>
 */
final class Reader implements Workload {

    @Override
    public String name() {
        return "reader";
    }

    @Override
    public List<Trial> trials(Target target) {
        return target.readable().stream()
                .map(contender -> (Trial) new ReaderTrial(contender))
                .toList();
    }
}
