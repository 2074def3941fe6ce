// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** A place that another process can find. */
public interface SharedPlace extends Place {

    /** The URL of the target, by which another process finds it. */
    String server();

    /** Its name there. */
    String name();
}
