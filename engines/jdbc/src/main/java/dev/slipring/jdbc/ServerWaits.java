// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a server waits for: its counters at the end of an interval less those at the beginning. */
final class ServerWaits implements Waits {

    private static final long PACKET = 1 << 20;

    private final Dialect dialect;
    private final String server;
    private final Session session;

    /** Connects to the server that a URL or a data source names. */
    ServerWaits(Dialect dialect, Opening opening) {
        this.dialect = dialect;
        ServerUrl url = opening.url() == null ? null : dialect.url(opening.url());
        server = url == null ? "(data source)" : url.address();
        try {
            Connection connection =
                    url == null ? opening.dataSource().getConnection() : dialect.connect(url);
            session = dialect.session(connection, url != null, PACKET);
        } catch (SQLException e) {
            throw dialect.trouble().explain(new SqlFailed(e), server);
        }
    }

    /** What is counted, by kind and name. */
    private record Reason(String kind, String name) {}

    /** How often, and nanoseconds; -1 where they are not known. */
    private record Count(long count, long nanos, long signal) {

        static final Count NONE = new Count(0, 0, 0);

        /** Counters that somebody has set back count from there. */
        Count since(Count before) {
            return count < before.count
                    ? this
                    : new Count(
                            count - before.count,
                            Math.max(nanos < 0 ? -1 : 0, nanos - before.nanos),
                            Math.max(signal < 0 ? -1 : 0, signal - before.signal));
        }
    }

    @Override
    public List<Wait> over(Duration interval) throws InterruptedException {
        Map<Reason, Count> before = counters();
        TimeUnit.NANOSECONDS.sleep(interval.toNanos());
        List<Wait> waits = new ArrayList<>();
        counters()
                .forEach(
                        (reason, now) -> {
                            Count more = now.since(before.getOrDefault(reason, Count.NONE));
                            if (more.count() > 0) {
                                waits.add(
                                        new Wait(
                                                reason.kind(),
                                                reason.name(),
                                                more.count(),
                                                duration(now.nanos(), more.nanos()),
                                                duration(now.signal(), more.signal())));
                            }
                        });
        return waits;
    }

    private static Duration duration(long known, long nanos) {
        return known < 0 ? null : Duration.ofNanos(nanos);
    }

    private Map<Reason, Count> counters() {
        Map<Reason, Count> counters = new LinkedHashMap<>();
        try {
            for (WaitQuery query : dialect.waitQueries()) {
                session.run(
                        new Script()
                                .read(
                                        query.sql(),
                                        row ->
                                                counters.put(
                                                        new Reason(query.kind(), row.getString(1)),
                                                        count(row))));
            }
        } catch (SqlFailed failed) {
            throw dialect.trouble().explain(failed, server);
        }
        if (counters.isEmpty()) {
            throw new StoreFailed(
                    "the server "
                            + server
                            + " counts no waits; MariaDB and MySQL do where they are started with"
                            + " performance_schema=ON");
        }
        return counters;
    }

    private static Count count(ResultSet row) throws SQLException {
        return new Count(row.getLong(2), known(row, 3), known(row, 4));
    }

    private static long known(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? -1 : value;
    }

    @Override
    public void close() {
        try {
            session.connection().close();
        } catch (SQLException e) {
            // It is gone already.
        }
    }
}
