// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the schema on SQL Server, one process at a time, and goes on with what one has left. */
final class SqlServerMigration {

    private static final Pattern CREATES =
            Pattern.compile("CREATE (?:TABLE|SEQUENCE|PROCEDURE) (dbo\\.\\w+)");

    private final Session session;

    SqlServerMigration(Session session) {
        this.session = session;
    }

    void run(List<String> scripts, BooleanSupplier isDone) {
        session.run(new Script().run(lock()));
        try (Held held = this::release) {
            if (isDone.getAsBoolean()) {
                // By another process, while this one waited. Its tables are in use, and to change
                // one waits for whoever uses it, and keeps all who come then waiting.
                return;
            }
            for (String script : scripts) {
                batches(script).forEach(this::run);
            }
        }
    }

    /** The lock: a resource, so that what fails at its end does not hide what failed before. */
    private interface Held extends AutoCloseable {

        @Override
        void close();
    }

    private void release() {
        session.run(new Script().run(unlock()));
    }

    private void run(String batch) {
        Matcher creates = CREATES.matcher(batch);
        if (!creates.find() || !isThere(creates.group(1))) {
            session.run(new Script().run(batch));
        }
    }

    /** The batches of a script: a line GO ends each, as in the server's own tools. */
    static List<String> batches(String script) {
        BatchText text = new BatchText();
        script.lines().forEach(text::add);
        return text.batches();
    }

    static String lock() {
        return "DECLARE @got INT; EXECUTE @got = sys.sp_getapplock @Resource = N'slipring_migrate',"
                + " @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 60000;"
                + " IF @got < 0 THROW 51001, N'somebody else is changing the schema', 1";
    }

    static String unlock() {
        return "EXECUTE sys.sp_releaseapplock @Resource = N'slipring_migrate',"
                + " @LockOwner = N'Session'";
    }

    private boolean isThere(String object) {
        Answer<String> id = new Answer<>(null, row -> row.getString(1));
        session.run(new Script().read(isThere(), id, object));
        return id.value() != null;
    }

    static String isThere() {
        return "SELECT OBJECT_ID(?)";
    }
}
