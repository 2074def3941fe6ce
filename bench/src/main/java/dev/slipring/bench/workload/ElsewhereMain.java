// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Beat;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The process that {@link Elsewhere} starts. */
final class ElsewhereMain {

    private ElsewhereMain() {}

    /** Opens the queue, is told when to begin, pushes, and ends. */
    public static void main(String[] arguments) throws Exception {
        Contender contender =
                Target.of(System.getenv(Elsewhere.URL)).shared().stream()
                        .filter(one -> one.system().equals(arguments[0]))
                        .findFirst()
                        .orElseThrow(() -> new BenchFailed("no system " + arguments[0]));
        Plan plan = new Plan(Long.parseLong(arguments[2]), 1);
        int threads = Integer.parseInt(arguments[3]);
        List<Source> sources = IntStream.range(0, threads).mapToObj(Source::new).toList();
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Subject subject = contender.open(contender.placed(arguments[1]), plan)) {
            System.out.println(Elsewhere.READY);
            String[] order = orders.readLine().split(" ");
            long start = Elsewhere.inNanoTime(Long.parseLong(order[0]));
            new Beat(start, Long.parseLong(order[1])).push(subject, sources);
        }
        System.exit(0);
    }
}
