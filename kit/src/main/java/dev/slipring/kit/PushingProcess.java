// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.Ring;
import dev.slipring.Slipring;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that pushes numbers until it is killed, and prints each when its push has returned. */
public final class PushingProcess {

    private PushingProcess() {}

    /** Pushes to a ring: the arguments are the URL and the ring. */
    public static void main(String[] args) {
        try (Slipring slipring = Slipring.open(args[0])) {
            Ring ring = slipring.ring(args[1]);
            for (int i = 0; ; i++) {
                ring.push("" + i);
                System.out.println(i);
                System.out.flush();
            }
        }
    }

    /**
     * Starts one, waits until it has printed this many numbers, kills it, and returns all that it
     * printed.
     */
    static List<String> runAndKill(String url, String ring, int numbers)
            throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                "-cp",
                                classPath,
                                PushingProcess.class.getName(),
                                url,
                                ring)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .directory(new File(".").getAbsoluteFile())
                        .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                if (said.size() == numbers) {
                    process.toHandle().destroyForcibly();
                }
            }
        }
        process.waitFor();
        return said;
    }
}
