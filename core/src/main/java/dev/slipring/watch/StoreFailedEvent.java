// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder's event of what went wrong and no handler did. */
@Name("dev.slipring.StoreFailed")
@Label("Store failed")
@Category("Slipring")
@StackTrace(false)
final class StoreFailedEvent extends Event {

    @Label("Ring")
    String ring;

    @Label("Error")
    String error;
}
