// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.Set;

/** A change of the ring that the controller made. */
final class Order {

    final String kind;
    final String stage;
    final long begin;

    /** The messages that it is about; none if it is about all or about no messages. */
    final Set<String> ids;

    long end = Long.MAX_VALUE;
    boolean ok;

    /** How many messages it was about, as the ring said; -1 if it did not. */
    long count = -1;

    Order(String kind, String stage, long begin, Set<String> ids) {
        this.kind = kind;
        this.stage = stage;
        this.begin = begin;
        this.ids = ids;
    }

    /**
     * Whether after it messages may come again, also because the stage is a new one of the same
     * name.
     */
    boolean isReset() {
        return kind.equals("rewind") || kind.equals("remove") || kind.equals("add");
    }

    boolean overlaps(long from, long to) {
        return begin <= to && end >= from;
    }
}
