// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Flight Recorder's event of a claim that brought messages. */
@Name("dev.slipring.Claim")
@Label("Claim")
@Category("Slipring")
@StackTrace(false)
final class ClaimEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Stage")
    String stage;

    @Label("Messages")
    int messages;

    @Label("Redelivered")
    int redelivered;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
