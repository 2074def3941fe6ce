// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.torture.child.AliveFile;
import dev.slipring.torture.child.ChildMain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the torture, as the controller sees it. Used by one thread at a time. */
final class Child {

    private final String role;
    private final Path journal;
    private final Process process;
    private boolean killed;
    private boolean stopped;

    private Child(String role, Path journal, Process process) {
        this.role = role;
        this.journal = journal;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param arguments its role, its number and its other arguments
     */
    static Child start(String[] arguments, String url, Path journals) throws IOException {
        String name = arguments[0] + "-" + arguments[1];
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        // The whole heap from the start, so that memory that grows later is not the heap.
        command.addAll(List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"));
        command.addAll(List.of("-Xshare:auto", "--enable-native-access=ALL-UNNAMED"));
        command.add("-Dmariadb.logging.disable=true");
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", classPath, ChildMain.class.getName()));
        Path journal = journals.resolve(name + ".journal");
        command.add(journal.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(journals.resolve(name + ".out").toFile());
        // Not among the arguments, where every user of the machine could read a password.
        builder.environment().put(ChildMain.URL, url);
        return new Child(arguments[0], journal, builder.start());
    }

    String role() {
        return role;
    }

    void kill() throws InterruptedException {
        // A process that has ended by itself before was not killed.
        killed |= process.isAlive();
        process.destroyForcibly();
        process.waitFor();
    }

    /** Stops it wherever it is, without its noticing. */
    void stop() throws IOException, InterruptedException {
        stopped = signal("-STOP");
    }

    /** Lets it go on. */
    void goOn() throws IOException, InterruptedException {
        if (stopped && process.isAlive()) {
            signal("-CONT");
        }
        stopped = false;
    }

    private boolean signal(String signal) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor() == 0;
    }

    void tell(String order) {
        try {
            process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended; its exit code will tell why.
        }
    }

    boolean awaitEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    long pid() {
        return process.pid();
    }

    /** How many bytes were alive in its heap when it last looked; 0 if it has not looked yet. */
    long alive() throws IOException {
        return AliveFile.read(journal);
    }

    /** How much processor time it has used; zero if the system does not say. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Whether it ended although the controller had neither killed it nor told it to stop. */
    boolean diedByItself() {
        return !killed && !process.isAlive() && process.exitValue() != 0;
    }

    @Override
    public String toString() {
        return role + " " + process.pid();
    }
}
