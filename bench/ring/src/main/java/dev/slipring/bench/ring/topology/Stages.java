// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import dev.slipring.bench.ring.contest.Shape;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One producer and a number of stages one behind the other, to see what becomes of a lead if there
 * are more threads than processors.
 *
 * <pre>
 *     1:   P --&gt; A --&gt; P
 *     2:   P --&gt; A --&gt; B --&gt; P
 *     4:   P --&gt; A --&gt; B --&gt; C --&gt; D --&gt; P
 *     8, 16:   P --&gt; A --&gt; ... --&gt; Z --&gt; P
 * </pre>
 *
 * @param count how many stages
 */
public record Stages(int count) implements Topology {

    /** The name of all of them together. */
    public static final String NAME = "stages";

    /** The pattern of their names. */
    static final String EACH = "pipeline-N";

    /** Those that are measured together. */
    static final List<Topology> ALL = Stream.of(1, 2, 4, 8, 16).<Topology>map(Stages::new).toList();

    private static final Pattern NAMED = Pattern.compile("pipeline-([1-9]\\d?)");

    /** The pipeline with this name. */
    static Optional<Topology> named(String name) {
        Matcher matcher = NAMED.matcher(name);
        return matcher.matches()
                ? Optional.of(new Stages(Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "pipeline-" + count;
    }

    @Override
    public String workload() {
        return NAME;
    }

    @Override
    public String setting(int capacity) {
        return count + (count == 1 ? " stage, " : " stages, ") + capacity + " slots";
    }

    @Override
    public Shape shape() {
        return new Shape(1, Collections.nCopies(count, List.of(1)));
    }
}
