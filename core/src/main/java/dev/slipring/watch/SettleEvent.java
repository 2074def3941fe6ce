// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Flight Recorder's event of a worker's word that was taken or refused. */
@Name("dev.slipring.Settle")
@Label("Settle")
@Category("Slipring")
@StackTrace(false)
final class SettleEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Stage")
    String stage;

    @Label("Done")
    int done;

    @Label("Failed")
    int failed;

    @Label("Dead")
    int dead;

    @Label("Fenced")
    boolean fenced;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
