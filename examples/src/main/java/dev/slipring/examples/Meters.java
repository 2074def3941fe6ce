// SPDX-License-Identifier: Apache-2.0
package dev.slipring.examples;

import dev.slipring.graph.FanOut;
import dev.slipring.ring.ThreadRing;

import java.util.concurrent.atomic.LongAdder;

/**
 * Readings of meters, passed between threads: two stages side by side, and one that follows both,
 * over slots that are made once and used again.
 *
 * <pre>
 *                  +--&gt; convert --+
 *     main thread --+              +--&gt; add
 *                  +--&gt; check   --+
 * </pre>
 */
public final class Meters {

    private Meters() {}

    /** A slot. Each stage writes fields of its own. */
    private static final class Reading {

        private long wattSeconds;
        private double wattHours;
        private boolean isPlausible;
    }

    /** Sends a million readings through, and shows the sum. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println(sum(1_000_000) + " watt hours");
    }

    /** Sends this many readings through; returns the watt hours of those that are plausible. */
    static long sum(int count) throws InterruptedException {
        LongAdder sum = new LongAdder();
        try (ThreadRing<Reading> readings =
                ThreadRing.<Reading>of(Reading::new, 1024)
                        .graph(FanOut.to("convert").and("check").then("add"))
                        .oneProducer()
                        .work("convert", reading -> reading.wattHours = reading.wattSeconds / 3600d)
                        .work("check", reading -> reading.isPlausible = reading.wattSeconds >= 0)
                        .work(
                                "add",
                                reading ->
                                        sum.add(reading.isPlausible ? (long) reading.wattHours : 0))
                        .open()) {
            for (int i = 0; i < count; i++) {
                long wattSeconds = i % 10 == 0 ? -1 : 3600;
                readings.push(reading -> reading.wattSeconds = wattSeconds);
            }
        }
        return sum.sum();
    }
}
