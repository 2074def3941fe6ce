// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder's event of a message that failed in a handler. */
@Name("dev.slipring.Failed")
@Label("Failed")
@Category("Slipring")
@StackTrace(false)
final class FailedEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Stage")
    String stage;

    @Label("Message")
    String message;

    @Label("Attempt")
    int attempt;

    @Label("Error")
    String error;
}
