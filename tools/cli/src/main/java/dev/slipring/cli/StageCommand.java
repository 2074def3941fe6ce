// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Command;

/** {@code slipring stage}: the graph of a living ring. */
@Command(
        name = "stage",
        description = "Show and change the stages of a ring, also while it is in use.",
        customSynopsis = "slipring stage RING (ls | add | set | pause | resume | rewind | rm) ...",
        preprocessor = RingFirst.class,
        subcommands = {
            StageLsCommand.class,
            StageAddCommand.class,
            StageSetCommand.class,
            StagePauseCommand.class,
            StageResumeCommand.class,
            StageRewindCommand.class,
            StageRmCommand.class
        })
final class StageCommand extends OfRing {}
