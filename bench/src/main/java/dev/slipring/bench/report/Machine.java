// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What readers of figures have to know about the machine.
 *
 * @param cpu the processor's model
 * @param cores how many cores this process may use
 * @param memory how much memory there is
 * @param system the operating system
 * @param java the version of Java
 * @param heap how much memory Java may use for objects
 * @param fileSystem the kind of the file system; empty if none was measured
 * @param server the server's version and settings; empty if there is none
 */
public record Machine(
        String cpu,
        int cores,
        String memory,
        String system,
        String java,
        String heap,
        String fileSystem,
        String server) {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

    /** This machine. */
    public static Machine here(String fileSystem, String server) {
        return new Machine(
                field(CPU_INFO, "model name"),
                Runtime.getRuntime().availableProcessors(),
                field(MEMORY_INFO, "MemTotal"),
                // Without what follows the numbers of a version: it tells who built the system.
                property("os.name")
                        + " "
                        + property("os.version").replaceAll("-.*", "")
                        + " "
                        + architecture(),
                property("java.version") + " (" + property("java.vm.name") + ")",
                (Runtime.getRuntime().maxMemory() >> 20) + " MB",
                fileSystem,
                server);
    }

    /** A short name for folders. */
    public String shortName() {
        return cores + "-core-" + architecture();
    }

    private static String architecture() {
        return property("os.arch").equals("amd64") ? "x86_64" : property("os.arch");
    }

    private static String property(String name) {
        return System.getProperty(name);
    }

    private static String field(Path file, String name) {
        if (!Files.isReadable(file)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
