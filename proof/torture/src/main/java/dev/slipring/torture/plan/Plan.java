// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The faults of a run, in the order of their time; made of nothing but a seed, a time, a place. */
public final class Plan {

    private static final int BETWEEN_MILLIS = 1_400;
    private static final int LONGEST_MILLIS = 2_600;
    private static final int SERVER_WEIGHT = 5;
    private static final int DISK_WEIGHT = 40;

    private Plan() {}

    /**
     * The plan.
     *
     * @param server whether there is a server to kill
     * @param disk whether there is a disk to fill
     */
    public static List<Fault> of(long seed, Duration time, boolean server, boolean disk) {
        Random random = new Random(seed);
        List<Kind> urn = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int weight =
                    switch (kind) {
                        case KILL_SERVER -> server ? SERVER_WEIGHT : 0;
                        case FILL_DISK -> disk ? DISK_WEIGHT : 0;
                        default -> kind.weight();
                    };
            for (int i = 0; i < weight; i++) {
                urn.add(kind);
            }
        }
        List<Fault> faults = new ArrayList<>();
        long at = BETWEEN_MILLIS;
        while (at < time.toMillis()) {
            Kind kind = urn.get(random.nextInt(urn.size()));
            long length = 100 + random.nextInt(LONGEST_MILLIS);
            faults.add(new Fault(at, kind, random.nextInt(1_000), length));
            at += 200 + random.nextInt(2 * (BETWEEN_MILLIS - 200));
        }
        return faults;
    }
}
