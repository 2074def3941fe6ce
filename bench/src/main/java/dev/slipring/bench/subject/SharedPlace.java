// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** A place that another process can find. */
public interface SharedPlace extends Place {

    /** The URL of the target that the other process names. */
    String server();

    /** Its name there. */
    String name();
}
