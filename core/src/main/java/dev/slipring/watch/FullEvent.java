// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder's event of a push that found no room and was refused. */
@Name("dev.slipring.Full")
@Label("Full")
@Category("Slipring")
@StackTrace(false)
final class FullEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Messages")
    int messages;
}
