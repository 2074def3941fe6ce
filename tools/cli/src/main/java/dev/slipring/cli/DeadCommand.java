// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.cli.text.SizeText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import java.util.List;
import java.util.Set;

/** {@code slipring dead}: dead letters. */
@Command(
        name = "dead",
        description = "Show dead letters, hand them out again, or drop them.",
        customSynopsis = "slipring dead RING [--stage S] (ls | retry | drop) ...",
        preprocessor = RingFirst.class,
        subcommands = {DeadLsCommand.class, DeadRetryCommand.class, DeadDropCommand.class})
final class DeadCommand extends OfRing {

    @Option(
            names = "--stage",
            paramLabel = "S",
            scope = ScopeType.INHERIT,
            description = "the stage; retry and drop need it if the ring has several")
    private String stage;

    /** The one stage that is meant. */
    Stage stage(Slipring slipring) {
        Ring ring = slipring.ring(ring());
        return stage == null ? ring.stage() : ring.stage(stage);
    }

    /** The stage that is named, or all. */
    List<Stage> stages(Slipring slipring) {
        Ring ring = slipring.ring(ring());
        return stage != null
                ? List.of(ring.stage(stage))
                : ring.spec().stages().names().stream().map(ring::stage).toList();
    }

    /**
     * Says how many dead letters a command has retried or dropped.
     *
     * @param ids those that the user named; none for all
     * @throws SlipringException if one that was named is no dead letter
     */
    String touched(String[] ids, long touched) {
        String letters = SizeText.count(touched, "dead letter") + " of ring " + ring();
        long missing = Set.copyOf(List.of(ids)).size() - touched;
        if (missing > 0) {
            throw new SlipringException(
                    missing
                            + " of the ids that were named "
                            + (missing == 1 ? "is no dead letter" : "are no dead letters")
                            + "; the rest: "
                            + letters);
        }
        return letters;
    }
}
