// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/** How long a word waits for others who speak of its claim, or of its lane, in a transaction. */
public enum LaneWait {
    /** Not at all. */
    NONE,
    /** As long as others take for a commit: two seconds at most. */
    BRIEF,
    /** As long as it takes; for who keeps nobody else waiting meanwhile. */
    LONG
}
