// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The upper limit, not a queue: binary COPY of the same messages into a bare table, with a commit
 * for each batch. What is taken comes from this process's memory; the table is emptied now and
 * then.
 */
final class CopySubject implements Subject {

    private static final byte[] HEADER =
            "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final long MOST_COPIED = 256 << 20;
    private static final int PUSH_SECONDS = 30;

    private final Connection connection;
    private final ConcurrentLinkedQueue<byte[]> pushed = new ConcurrentLinkedQueue<>();
    private final Semaphore room;
    private final Semaphore filled = new Semaphore(0);
    private long copied;

    CopySubject(PostgresPlace place, Plan plan) throws SQLException {
        connection = place.connect();
        Sql.run(connection, "CREATE TABLE IF NOT EXISTS copied (body bytea NOT NULL)");
        room = new Semaphore(Math.toIntExact(plan.capacity()));
    }

    @Override
    public synchronized void push(List<byte[]> bodies)
            throws SQLException, IOException, InterruptedException {
        if (!room.tryAcquire(bodies.size(), PUSH_SECONDS, TimeUnit.SECONDS)) {
            throw new BenchFailed("no room for " + PUSH_SECONDS + " seconds");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(HEADER);
        out.writeInt(0);
        out.writeInt(0);
        for (byte[] body : bodies) {
            out.writeShort(1);
            out.writeInt(body.length);
            out.write(body);
            copied += body.length;
        }
        out.writeShort(-1);
        CopyIn copy =
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY copied FROM STDIN (FORMAT binary)");
        copy.writeToCopy(bytes.toByteArray(), 0, bytes.size());
        copy.endCopy();
        if (copied > MOST_COPIED) {
            Sql.run(connection, "TRUNCATE copied");
            copied = 0;
        }
        pushed.addAll(bodies);
        filled.release(bodies.size());
    }

    @Override
    public int take(int stage, int most, Sink sink) throws InterruptedException {
        if (!filled.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            return 0;
        }
        int count = 1;
        while (count < most && filled.tryAcquire()) {
            count++;
        }
        for (int i = 0; i < count; i++) {
            byte[] body = pushed.remove();
            sink.take(body, body.length);
        }
        room.release(count);
        return count;
    }

    @Override
    public void finish(int stage) {
        // Nothing to do, as nothing was claimed.
    }

    @Override
    public AutoCloseable handle(int threads, Sink sink, Consumer<Exception> failing) {
        throw new UnsupportedOperationException("COPY is no queue");
    }

    @Override
    public long waiting() {
        return filled.availablePermits();
    }

    @Override
    public double heldPerMessage() {
        return pushed.stream().mapToLong(body -> body.length).average().orElse(0);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
