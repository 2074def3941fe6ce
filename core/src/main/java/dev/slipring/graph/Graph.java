// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stages and which follows which, built with {@link #then} and {@link FanOut}.
 *
 * <pre>
 *              +--&gt; locate --&gt;+
 *     push --&gt; |              | --&gt; alert
 *              +--&gt; grade  --&gt;+
 *
 *     FanOut.to("locate").and("grade").then("alert")
 * </pre>
 */
public sealed interface Graph permits StageSpec, Chain, FanOut {

    /** The stage, with the defaults. */
    static Graph of(String stage) {
        return StageSpec.named(stage);
    }

    /** This graph, and behind all its last stages the first stages of the next. */
    default Graph then(Graph next) {
        return new Chain(this, next);
    }

    /** This graph, and the stage, with the defaults, behind all its last stages. */
    default Graph then(String next) {
        return then(of(next));
    }

    /** The stages that follow nothing inside this graph. */
    Set<String> heads();

    /** The stages that nothing inside this graph follows. */
    Set<String> tails();

    /** Every stage, in the order of its declaration. */
    List<StageSpec> stages();

    /** For a stage, those that it follows. A stage that follows nothing may be missing. */
    Map<String, Set<String>> edges();
}
