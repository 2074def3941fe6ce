// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.graph.Mode;

import java.util.Objects;

/** Begins to work on a stage, with the crew that its mode and the handler ask for. */
final class Crews {

    /**
     * Workers who share a claim share so many messages, unless one of them alone may claim more.
     */
    private static final int SHARED = 2_000;

    private final Claiming stage;
    private final WorkOptions how;

    /**
     * For a stage.
     *
     * @param stage for workers of whom one waits for all
     */
    Crews(Claiming stage, WorkOptions how) {
        this.stage = stage;
        this.how = how;
    }

    /** Workers who call a handler for each message, in the way of the stage's mode. */
    Workers each(Handler handler) {
        Handler contained = Interrupts.contain(how, handler);
        return stage.spec().mode() == Mode.ORDERED ? oneByOne(contained) : sideBySide(contained);
    }

    private Workers oneByOne(Handler handler) {
        EachMessage each = new EachMessage(stage, handler);
        return byClaim(
                (claim, stopping) -> {
                    MadeAnew.refuse(claim, Mode.ORDERED);
                    return each.handle(claim, stopping);
                });
    }

    private Workers sideBySide(Handler handler) {
        int most =
                Math.max(how.batch(), (int) Math.min((long) how.batch() * how.threads(), SHARED));
        return new Workers(
                stage,
                how,
                most,
                (keeper, patience, ending) ->
                        new ByMessage(stage, handler, new ClaimSize(most), keeper, ending));
    }

    /** Workers who call a handler for each claim, whatever the stage's mode is. */
    Workers whole(BatchHandler handler) {
        return byClaim(new WholeClaim(stage, Interrupts.containAll(how, handler)));
    }

    /** The same, with the values of the claim's messages. */
    <T> Workers values(Codec<T> codec, Typed.BatchHandler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return byClaim(
                (claim, stopping) -> {
                    Batch<T> batch = Batch.of(claim, codec);
                    BatchHandler ofValues =
                            it -> {
                                if (!batch.entries().isEmpty()) {
                                    handler.handle(batch);
                                }
                            };
                    BatchHandler contained = Interrupts.containAll(how, ofValues);
                    return new WholeClaim(stage, contained, batch.refused())
                            .handle(claim, stopping);
                });
    }

    private Workers byClaim(ClaimHandler handler) {
        return new Workers(
                stage,
                how,
                how.batch(),
                (keeper, patience, ending) ->
                        new ByClaim(
                                stage,
                                handler,
                                new ClaimSize(how.batch()),
                                keeper,
                                patience,
                                ending));
    }
}
