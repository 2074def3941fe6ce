// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs commands in this process on a store in a file of their own. */
final class Shell {

    private final String url;

    Shell(Path folder) {
        this.url = "sqlite:" + folder.resolve("test.db");
    }

    String url() {
        return url;
    }

    /** Runs a command in a process of its own, with an option for Java such as "-Xmx256m". */
    static ProcessBuilder apart(String heap, String url, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Collections.addAll(command, "-XX:+UseSerialGC", heap);
        Collections.addAll(command, "-cp", System.getProperty("java.class.path"));
        Collections.addAll(command, "dev.slipring.cli.Main");
        Collections.addAll(command, args);
        Collections.addAll(command, "--url", url);
        return new ProcessBuilder(command);
    }

    /** What a command did. */
    record Run(int code, byte[] out, String err) {

        String text() {
            return new String(out, StandardCharsets.UTF_8);
        }

        List<String> lines() {
            return text().lines().toList();
        }
    }

    Run run(String... args) {
        return feed(new byte[0], args);
    }

    Run feed(String in, String... args) {
        return feed(in.getBytes(StandardCharsets.UTF_8), args);
    }

    Run feed(byte[] in, String... args) {
        return feed(new ByteArrayInputStream(in), args);
    }

    Run feed(InputStream in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Run run = run(in, out, args);
        return new Run(run.code(), out.toByteArray(), run.err());
    }

    Run run(byte[] in, OutputStream out, String... args) {
        return run(new ByteArrayInputStream(in), out, args);
    }

    private Run run(InputStream in, OutputStream out, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(withUrl(args), in, out, err);
        return new Run(code, new byte[0], err.toString(StandardCharsets.UTF_8));
    }

    private String[] withUrl(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        if (!all.contains("--url")) {
            all.addAll(0, List.of("--url", url));
        }
        return all.toArray(String[]::new);
    }
}
