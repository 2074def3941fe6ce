// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** A push, as its producer saw it. */
final class Push {

    final int producer;
    final int number;
    final int count;
    final String how;
    final long begin;
    long end = Long.MAX_VALUE;
    String outcome = "unknown";

    Push(int producer, int number, int count, String how, long begin) {
        this.producer = producer;
        this.number = number;
        this.count = count;
        this.how = how;
        this.begin = begin;
    }

    boolean isOk() {
        return outcome.equals("ok");
    }

    /** Whether its producer was told that nothing of it is stored. */
    boolean isNot() {
        return outcome.equals("refused") || outcome.equals("rolledback");
    }

    boolean isWhole() {
        return !how.equals("async");
    }
}
