// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A Slipring ring under test, with its stages side by side. */
final class RingSubject implements JoinSubject {

    private static final Duration WAIT = Duration.ofMillis(100);

    /**
     * More than enough for a message and what is kept with it, so that the capacity in messages
     * decides.
     */
    private static final long BYTES_PER_MESSAGE = 1024;

    private final Slipring slipring;
    private final Ring ring;
    private final List<Stage> stages = new ArrayList<>();
    private final List<byte[]> scratch = new ArrayList<>();

    /** For each stage the claim that is not reported yet; null if there is none. */
    private final List<Claim> last = new ArrayList<>();

    RingSubject(String url, Plan plan) {
        slipring = Slipring.open(Options.url(url).pushTimeout(plan.patience()));
        RingSpec spec =
                RingSpec.named("bench")
                        .messages(plan.capacity())
                        .bytes(plan.capacity() * BYTES_PER_MESSAGE)
                        .graph(graph(plan.stages()));
        ring = slipring.create(plan.lanes() == 0 ? spec : spec.lanes(plan.lanes()));
        for (int stage = 1; stage <= plan.stages(); stage++) {
            stages.add(ring.stage("stage" + stage));
            scratch.add(new byte[1024]);
            last.add(null);
        }
    }

    private static Graph graph(int stages) {
        FanOut graph = FanOut.to("stage1");
        for (int stage = 2; stage <= stages; stage++) {
            graph = graph.and("stage" + stage);
        }
        return graph;
    }

    @Override
    public void push(List<byte[]> bodies) {
        if (bodies.size() == 1) {
            ring.push(Message.of(bodies.get(0)));
        } else {
            ring.pushAll(bodies.stream().map(Message::of).toList());
        }
    }

    @Override
    public void push(Connection transaction, byte[] body) {
        ring.join(transaction).push(Message.of(body));
    }

    @Override
    public int take(int stage, int most, Sink sink) {
        // The word about the last claim and the next claim share a transaction.
        Claim claim =
                last.get(stage) == null
                        ? stages.get(stage).claim(most, WAIT)
                        : last.get(stage).doneAndNext(most, WAIT);
        last.set(stage, claim);
        byte[] body = scratch.get(stage);
        for (Delivery delivery : claim.deliveries()) {
            Message message = delivery.message();
            if (message.length() <= body.length) {
                message.copyTo(body, 0);
                sink.take(body, message.length());
            } else {
                sink.take(message.body(), message.length());
            }
        }
        return claim.deliveries().size();
    }

    @Override
    public void finish(int stage) {
        Claim claim = last.set(stage, null);
        if (claim != null) {
            claim.done();
        }
    }

    @Override
    public AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing) {
        return stages.get(0)
                .work(
                        threads,
                        delivery -> {
                            byte[] body = delivery.body();
                            sink.take(body, body.length);
                        });
    }

    @Override
    public long waiting() {
        return ring.info().stages().stream().mapToLong(StageSurvey::lag).max().orElseThrow();
    }

    @Override
    public double heldPerMessage() {
        Survey survey = ring.info();
        return (double) survey.heldBytes() / survey.heldMessages();
    }

    @Override
    public void close() {
        slipring.close();
    }
}
