// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * The cycle in batches of 1,000 while somebody holds a transaction open, as reports and forgotten
 * sessions do. Each system is measured before that and then under it, in the same run.
 *
 * <pre>
 *     1 thread, push 1,000 --&gt; [ ring of 20,000 ] --&gt; 1 worker, claim 1,000, done
 *     somebody else:   BEGIN ...                                          (no COMMIT)
 * </pre>
 */
final class Held implements Workload {

    @Override
    public String name() {
        return "held";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (Holding holding : Holding.values()) {
            for (Contender contender : target.joining()) {
                trials.add(
                        holding == Holding.OURS
                                ? new ReadTrial(contender)
                                : new HeldTrial(contender, holding));
            }
        }
        return trials;
    }
}
