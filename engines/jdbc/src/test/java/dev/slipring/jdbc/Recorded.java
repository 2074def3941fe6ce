// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The statements that SQL Server would have been sent, each once. */
final class Recorded {

    private static final Set<String> PROCEDURES = new ConcurrentSkipListSet<>();

    private Recorded() {}

    /** Keeps a statement with the types of its values. */
    static void add(String sql, Object... values) {
        StringBuilder body = new StringBuilder();
        List<String> parameters = new ArrayList<>();
        for (int at = 0; at < sql.length(); at++) {
            if (sql.charAt(at) == '?') {
                parameters.add(
                        "@value" + (parameters.size() + 1) + type(values, parameters.size()));
                body.append("@value").append(parameters.size());
            } else {
                body.append(sql.charAt(at));
            }
        }
        if (parameters.size() != values.length) {
            throw new IllegalStateException(values.length + " values for " + sql);
        }
        PROCEDURES.add(" " + String.join(", ", parameters) + "\nAS\n" + body + ";\n");
    }

    private static String type(Object[] values, int at) {
        if (at >= values.length) {
            throw new IllegalStateException("too few values");
        }
        Object value = values[at];
        return value instanceof Long
                ? " BIGINT"
                : value instanceof Integer
                        ? " INT"
                        : value instanceof byte[] ? " VARBINARY(MAX)" : " NVARCHAR(MAX)";
    }

    /** All that was kept. */
    static List<String> all() {
        return List.copyOf(PROCEDURES);
    }

    /** Writes each into a file of its own, as the body of a procedure. */
    static void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var old = Files.newDirectoryStream(folder, "*.sql")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        int number = 0;
        for (String procedure : PROCEDURES) {
            String name = String.format(Locale.ROOT, "statement_%04d", ++number);
            Files.writeString(
                    folder.resolve(name + ".sql"), "CREATE PROCEDURE dbo." + name + procedure);
        }
    }
}
