// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.cli.text.SizeText;
import dev.slipring.cli.text.StageText;
import dev.slipring.graph.RingSpec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;

/** {@code slipring create}: makes a ring and its graph. */
@Command(
        name = "create",
        description = {
            "Create a ring and its graph of stages.",
            "If the ring exists in the same shape, nothing happens; in another shape it is"
                    + " an error."
        },
        footer = {
            "",
            "A diamond, with an ordered stage behind two that work side by side:",
            "  slipring create quakes --stage locate --stage grade:lease=2s \\",
            "      --stage alert:after=locate+grade:ordered"
        })
final class CreateCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring's name")
    private String ring;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description =
                    "how many lanes; messages keep their order within a lane (default: 8 on a"
                            + " server, 1 in a file)")
    private Integer lanes;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "how many messages it holds at most (default: 1,000,000)")
    private String messages;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "how many bytes it holds at most, as 512M or 2G (default: 1G)")
    private String bytes;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description =
                    "a stage: " + StageText.FORM + "; without this option there is one stage, main")
    private List<String> stages;

    @Override
    void check() {
        wanted();
    }

    @Override
    int call(Slipring slipring) {
        RingSpec spec = slipring.create(wanted()).spec();
        streams()
                .say(
                        "ring "
                                + spec.name()
                                + ": "
                                + SizeText.count(spec.lanes(), "lane")
                                + ", at most "
                                + SizeText.count(spec.messages(), "message")
                                + " and "
                                + SizeText.showBytes(spec.bytes())
                                + ", stages "
                                + spec.stages());
        return 0;
    }

    private RingSpec wanted() {
        RingSpec spec = StageText.apply(RingSpec.named(ring), stages);
        spec = lanes == null ? spec : spec.lanes(lanes);
        spec = messages == null ? spec : spec.messages(SizeText.parseCount(messages));
        return bytes == null ? spec : spec.bytes(SizeText.parseBytes(bytes));
    }

    @Override
    boolean makesStore() {
        return true;
    }
}
