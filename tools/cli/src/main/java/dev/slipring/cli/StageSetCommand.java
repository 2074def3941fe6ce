// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.cli.text.DurationText;
import dev.slipring.cli.text.SizeText;
import dev.slipring.graph.Backoff;
import dev.slipring.graph.StageSpec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/** {@code slipring stage RING set}: a stage with another lease, tries, back-off or limit. */
@Command(
        name = "set",
        description = {
            "Change the lease, tries, back-off or limit of a stage.",
            "What is not named stays. Workers use the new settings from their next claim on."
        })
final class StageSetCommand extends OfStage {

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description = "how long a claim lasts unless it is extended, 1ms to 24h")
    private String lease;

    @Option(
            names = "--tries",
            paramLabel = "N",
            description = "after how many attempts a message is dead, 1 to 1,000,000")
    private Integer tries;

    @Option(
            names = "--backoff",
            paramLabel = "TIME",
            description =
                    "how long a message waits after its first failure, doubling with each further"
                            + " one; each wait is a random part of this, half or more")
    private String backoff;

    @Option(
            names = "--backoff-most",
            paramLabel = "TIME",
            description = "how long a failed message waits at most")
    private String backoffMost;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description =
                    "how many messages may be set aside or dead before the stage claims nothing"
                            + " new")
    private String keep;

    private Duration newLease;
    private Duration newBackoff;
    private Duration newBackoffMost;
    private Long newKeep;

    @Override
    void check() {
        if (Stream.of(lease, tries, backoff, backoffMost, keep).allMatch(Objects::isNull)) {
            throw new IllegalArgumentException(
                    "say what to set: --lease, --tries, --backoff, --backoff-most or --keep");
        }
        newLease = lease == null ? null : DurationText.parse(lease);
        newBackoff = backoff == null ? null : DurationText.parse(backoff);
        newBackoffMost = backoffMost == null ? null : DurationText.parse(backoffMost);
        newKeep = keep == null ? null : SizeText.parseCount(keep);
    }

    @Override
    int call(Slipring slipring) {
        Stage now = stage(slipring);
        now = now.redeclare(changed(now.spec()));
        return say("has " + words(now.spec()));
    }

    private StageSpec changed(StageSpec spec) {
        Backoff old = spec.backoff();
        StageSpec changed =
                spec.backoff(
                        newBackoff == null ? old.first() : newBackoff,
                        newBackoffMost == null ? old.most() : newBackoffMost);
        changed = newLease == null ? changed : changed.lease(newLease);
        changed = tries == null ? changed : changed.tries(tries);
        return newKeep == null ? changed : changed.keep(newKeep);
    }

    private static String words(StageSpec spec) {
        return "leases of "
                + DurationText.show(spec.lease())
                + ", "
                + SizeText.count(spec.tries(), "attempt")
                + ", a back-off of "
                + DurationText.show(spec.backoff().first())
                + " to "
                + DurationText.show(spec.backoff().most())
                + ", and stops claiming at "
                + SizeText.count(spec.keep(), "message")
                + " set aside or dead";
    }
}
