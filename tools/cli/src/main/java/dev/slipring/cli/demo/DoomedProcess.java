// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A worker in a process of its own, which is killed. The two talk in lines: the process says {@code
 * ready}, hears {@code go}, and says what it has in hand.
 */
public final class DoomedProcess implements Doomed {

    static final int MESSAGES = 60;
    private static final int HANDLED = 20;

    private final Process process;
    private final BufferedReader says;

    private DoomedProcess(Process process) {
        this.process = process;
        this.says =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the process, which runs {@link #work}. */
    static DoomedProcess start(String url, String ring, String stage) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // No garbage collector is named here: JAVA_TOOL_OPTIONS may name one, and Java refuses two.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"));
        command.add("--enable-native-access=ALL-UNNAMED");
        // The folders in which SQLite's library can be unpacked and loaded.
        for (String folder : List.of("java.io.tmpdir", "org.sqlite.tmpdir")) {
            if (System.getProperty(folder) != null) {
                command.add("-D" + folder + "=" + System.getProperty(folder));
            }
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "dev.slipring.cli.Main"));
        command.addAll(List.of("demo-worker", ring, stage));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Not among the arguments, where every user of the machine could read a password.
        builder.environment().put("SLIPRING_URL", url);
        return new DoomedProcess(builder.start());
    }

    /** Waits until the process has opened the store. */
    void awaitReady() throws IOException {
        hear("ready");
    }

    @Override
    public String words() {
        return "process " + process.pid() + ", which will be killed";
    }

    @Override
    public Hand claim() throws IOException {
        OutputStream tell = process.getOutputStream();
        tell.write("go\n".getBytes(StandardCharsets.UTF_8));
        tell.flush();
        String[] hand = hear("hand").split(" ");
        return new Hand(
                Long.parseLong(hand[1]),
                Long.parseLong(hand[2]),
                Integer.parseInt(hand[3]),
                Integer.parseInt(hand[4]));
    }

    private String hear(String first) throws IOException {
        String line = says.readLine();
        if (line == null || !line.startsWith(first)) {
            throw new IOException("the worker's process said '" + line + "', not '" + first + "'");
        }
        return line;
    }

    @Override
    public String kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
        return "kill -9 " + process.pid() + " (its exit code: " + process.exitValue() + ")";
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** What the process does: it claims, handles a part, says so, and waits to be killed. */
    public static void work(Stage stage, InputStream hears, PrintStream says) throws IOException {
        says.println("ready");
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(hears, StandardCharsets.UTF_8));
        if (lines.readLine() == null) {
            return;
        }
        Claim claim = DoomedThread.claimed(stage);
        int handled = 0;
        for (Delivery delivery :
                claim.deliveries().subList(0, Math.min(HANDLED, claim.deliveries().size()))) {
            Grade.of(Quake.of(delivery));
            handled++;
        }
        Hand hand = hand(claim, handled);
        says.println(
                "hand "
                        + hand.from()
                        + " "
                        + hand.to()
                        + " "
                        + hand.messages()
                        + " "
                        + hand.handled());
        // Here the process is killed. If the demo ends first, the input ends and so does the
        // process; its claim is handed on when the lease runs out.
        lines.readLine();
    }

    static Hand hand(Claim claim, int handled) {
        List<Delivery> all = claim.deliveries();
        if (all.isEmpty()) {
            throw new IllegalStateException("there was nothing to claim: " + claim.reason());
        }
        return new Hand(
                all.get(0).position(), all.get(all.size() - 1).position() + 1, all.size(), handled);
    }
}
