// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * The topologies under JMH, for its profilers: {@code -prof gc} shows what is allocated for a
 * message (the ring itself is made once a million messages), {@code -prof perfasm} where the time
 * goes. {@link Topologies} has the topologies, each with its drawing.
 *
 * <p>By default the systems are measured that can do all of the default topologies. Name the others
 * together with topologies that they can do, as a system fails in a topology that it cannot do:
 *
 * <pre>
 *     -p system=disruptor-yielding,disruptor-sleeping
 *         -p topology=1-1,1-3,pipeline,diamond,3-1,text-fanout-1000-2-10
 *     -p system=disruptor3-yielding -p topology=pool-3,pool-8,text-worker-1000-2-10
 *     -p system=jctools-yielding -p topology=1-1,3-1,pool-3,pool-8,many
 * </pre>
 *
 * <p>{@link Contestants} has the names of the systems. {@code pipeline-N} and the rows of the
 * text's table can be named too; a row of the table has its graph and its terms here, and a million
 * messages and the slots of {@code -p capacity} as all have.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBenchmark {

    private static final int MESSAGES = 1_000_000;

    /** The graph. */
    @Param({
        "1-1",
        "1-3",
        "pipeline",
        "diamond",
        "3-1",
        "pool-3",
        "pool-8",
        "many",
        "text-fanout-1000-2-10"
    })
    public String topology;

    /** The contestant; by default all that can do all of the topologies above. */
    @Param({"slipring", "questdb-yielding", "questdb-parking"})
    public String system;

    /** How many slots. */
    @Param({"1024", "65536"})
    public int capacity;

    /** Sends a million messages through. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public Outcome run() throws Exception {
        Topology graph = Topologies.named(topology);
        Contestant contestant = Contestants.named(system);
        if (!contestant.can(graph.shape())) {
            throw new IllegalArgumentException(system + " cannot do " + topology);
        }
        Load load = new Load(MESSAGES, capacity, graph.terms());
        return contestant.run(graph.shape(), load).check(graph.shape(), load);
    }
}
