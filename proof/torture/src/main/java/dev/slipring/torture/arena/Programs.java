// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The programs of servers: those that were downloaded for the torture, or those of the system. */
final class Programs {

    /** The property that names the folder of the servers that were downloaded. */
    static final String SERVERS = "slipring.servers";

    private static final int DEEP = 8;

    private Programs() {}

    /** The folder that has the programs of a kind of server. */
    static Path home(ServerKind kind) throws IOException, InterruptedException {
        List<Path> places = new ArrayList<>();
        if (System.getProperty(SERVERS) != null) {
            Path loaded = Path.of(System.getProperty(SERVERS), kind.scheme()).toAbsolutePath();
            if (Files.isDirectory(loaded)) {
                places.add(unpacked(loaded, kind));
            }
        }
        places.addAll(kind.ofSystem());
        for (Path place : places) {
            if (place != null && Files.exists(in(place, kind.program()))) {
                return place;
            }
        }
        throw new IllegalArgumentException(
                "there is no server of the kind '"
                        + kind.scheme()
                        + "' to start; in a checkout, load those of the tests with 'mvn -pl"
                        + " proof/torture dependency:unpack@servers', or install one; or torture"
                        + " one that runs, as "
                        + kind.scheme()
                        + "://USER:PASSWORD@HOST:PORT/DATABASE");
    }

    /** A program in a folder; systems have their servers in sbin. */
    static Path in(Path home, String program) {
        Path ofSystem = home.resolve(program.replace("bin/", "sbin/"));
        return Files.exists(ofSystem) ? ofSystem : home.resolve(program);
    }

    /** The folder with the programs of a package. A package within the package is unpacked here. */
    private static Path unpacked(Path folder, ServerKind kind)
            throws IOException, InterruptedException {
        Path found = find(folder, kind);
        if (found != null) {
            return found;
        }
        for (Path packed : all(folder, "tar.gz", "txz")) {
            run(List.of("tar", "-xf", packed.toString(), "-C", folder.toString()), null);
        }
        return find(folder, kind);
    }

    private static Path find(Path folder, ServerKind kind) throws IOException {
        for (Path program : all(folder, kind.program())) {
            if (program.toFile().setExecutable(true)) {
                return program.getParent().getParent();
            }
        }
        return null;
    }

    private static List<Path> all(Path folder, String... ends) throws IOException {
        try (Stream<Path> files = Files.walk(folder, DEEP)) {
            return files.filter(file -> List.of(ends).stream().anyMatch(file.toString()::endsWith))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }

    /** Runs a program to its end. */
    static void run(List<String> command, Path log) throws IOException, InterruptedException {
        run(command, null, log);
    }

    /** Runs a program to its end, with a file as its input. */
    static void run(List<String> command, Path input, Path log)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        builder.redirectOutput(log == null ? ProcessBuilder.Redirect.DISCARD.file() : log.toFile());
        int code = builder.start().waitFor();
        if (code != 0) {
            String words = log == null ? "" : ": " + Files.readString(log).strip();
            throw new IOException(command.get(0) + " ended with " + code + words);
        }
    }
}
