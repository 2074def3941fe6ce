// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Waits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What PostgreSQL waits for. It keeps no sums, so its processes are looked at again and again: a
 * count is how often one was seen waiting, a time is that share of the interval. A process that
 * works and does not wait is seen on the {@code CPU}.
 */
final class PostgresWaits implements Waits {

    private static final long STEP_MILLIS = 10;

    /** Other sessions at work, and the server's own processes where they wait for anything. */
    private static final String LOOK =
            "SELECT coalesce(wait_event_type, 'CPU'), coalesce(wait_event, 'running'), count(*)"
                    + " FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND (state = 'active' OR backend_type <> 'client backend'"
                    + " AND wait_event_type <> 'Activity') GROUP BY 1, 2";

    private final Connections connections;

    PostgresWaits(Connections connections) {
        this.connections = connections;
    }

    /** What was waited for, in the server's words. */
    private record Reason(String type, String event) {}

    /** How often it was seen, and for how many nanoseconds that stands. */
    private record Seen(long count, long nanos) {

        Seen and(Seen more) {
            return new Seen(count + more.count, nanos + more.nanos);
        }
    }

    @Override
    public List<Wait> over(Duration interval) throws InterruptedException {
        Map<Reason, Seen> seen = new HashMap<>();
        long last = System.nanoTime();
        long end = last + interval.toNanos();
        while (end - last > 0) {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            long now = System.nanoTime();
            look(seen, now - last);
            last = now;
        }
        List<Wait> waits = new ArrayList<>();
        seen.forEach(
                (reason, sum) ->
                        waits.add(
                                new Wait(
                                        reason.type(),
                                        reason.event(),
                                        sum.count(),
                                        Duration.ofNanos(sum.nanos()),
                                        null)));
        return waits;
    }

    private void look(Map<Reason, Seen> seen, long nanos) {
        connections.reading(
                "BEGIN READ ONLY",
                statements -> {
                    statements.each(
                            LOOK,
                            row -> {
                                Reason reason = new Reason(row.getString(1), row.getString(2));
                                long count = row.getLong(3);
                                seen.merge(reason, new Seen(count, count * nanos), Seen::and);
                                return true;
                            });
                    return null;
                });
    }

    @Override
    public void close() {
        connections.close();
    }
}
