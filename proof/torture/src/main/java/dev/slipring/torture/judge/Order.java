// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** A change of the ring that the controller made. */
final class Order {

    final String kind;
    final String stage;
    final long begin;
    long end = Long.MAX_VALUE;
    boolean ok;

    Order(String kind, String stage, long begin) {
        this.kind = kind;
        this.stage = stage;
        this.begin = begin;
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
