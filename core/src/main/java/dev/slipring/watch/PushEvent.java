// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Flight Recorder's event of a push that became durable. */
@Name("dev.slipring.Push")
@Label("Push")
@Category("Slipring")
@StackTrace(false)
final class PushEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Messages")
    int messages;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
