// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * Rings and a table as a queue in SQLite files, beside the file that was named.
 *
 * @param file the file that was named; it is never created
 * @param options the URL's options, such as {@code synchronous=normal}; empty if there are none
 */
record SqliteTarget(Path file, String options) implements Target {

    private static final String SYNCED = "done=synced";

    static SqliteTarget of(String url) {
        String rest = url.substring("sqlite:".length());
        int mark = rest.indexOf('?');
        Path file = Path.of(mark < 0 ? rest : rest.substring(0, mark)).toAbsolutePath();
        if (Files.exists(file)) {
            throw new IllegalArgumentException(
                    "'"
                            + file
                            + "' is there already; bench works in files of its own next to the one"
                            + " named: name one that is not there");
        }
        if (!Files.isDirectory(file.getParent())) {
            throw new IllegalArgumentException("there is no folder '" + file.getParent() + "'");
        }
        return new SqliteTarget(file, mark < 0 ? "" : rest.substring(mark + 1));
    }

    /** A queue in a file. */
    private record Queue(SqliteTarget target, String system, String options, String option)
            implements Contender {

        @Override
        public Place place() {
            return FilePlace.beside(target, system);
        }

        @Override
        public Place placed(String name) {
            return new FilePlace(target.url(), Path.of(name));
        }

        @Override
        public Subject open(Place place, Plan plan) throws SQLException {
            Path file = ((FilePlace) place).file();
            return system.equals(BASELINE)
                    ? new NaiveSubject(file, target.synchronous(), plan)
                    : new RingSubject(url(file, options), plan);
        }
    }

    /** The URL that was given. */
    String url() {
        return url(file, options);
    }

    private static String url(Path file, String options) {
        return "sqlite:" + file + (options.isEmpty() ? "" : "?" + options);
    }

    private String synchronous() {
        return options.contains("synchronous=normal") ? "NORMAL" : "FULL";
    }

    private Contender ring() {
        String option = options.contains(SYNCED) ? "done synced" : "done relaxed";
        return new Queue(this, Contender.RING, options, option);
    }

    private Contender table() {
        return new Queue(this, Contender.BASELINE, options, "");
    }

    @Override
    public Target relaxed() {
        String normal = "synchronous=normal";
        return new SqliteTarget(file, options.isEmpty() ? normal : options + "&" + normal);
    }

    @Override
    public String engine() {
        return "sqlite";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(ring(), table());
    }

    @Override
    public List<Contender> shared() {
        return contenders();
    }

    @Override
    public List<Contender> variants() {
        if (options.contains("done=")) {
            return contenders();
        }
        String more = options.isEmpty() ? SYNCED : options + "&" + SYNCED;
        return List.of(ring(), table(), new Queue(this, Contender.RING, more, "done synced"));
    }

    @Override
    public long mostWaiting() {
        return Long.MAX_VALUE;
    }

    @Override
    public String fileSystem() {
        try {
            return Files.getFileStore(file.getParent()).type();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
