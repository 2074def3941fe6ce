// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * Where a command reads from and writes to: data to {@code out}, which tells when it is closed, and
 * words to {@code err}.
 *
 * @param in where data comes from
 * @param out where data goes to
 * @param err where words go to
 * @param terminals which of the three are terminals, as digits: 0, 1, 2
 */
record Streams(InputStream in, OutputStream out, PrintStream err, String terminals) {

    /**
     * The streams of this process. The launcher says which of them are terminals; without it Java
     * can only guess.
     */
    static Streams ofProcess() {
        String known = System.getProperty("slipring.terminals");
        String guess = System.console() != null && Runtime.version().feature() < 22 ? "012" : "";
        return new Streams(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                known != null ? known : guess);
    }

    /** Whether words go to a terminal, where somebody reads them as they come. */
    boolean isErrTerminal() {
        return terminals.contains("2");
    }

    boolean isOutTerminal() {
        return terminals.contains("1");
    }

    /** Whether words may have colours: on a terminal, unless the user wants none. */
    boolean isErrColoured() {
        return isErrTerminal() && isColourful(System.getenv());
    }

    /** Whether data may have colours. */
    boolean isOutColoured() {
        return isOutTerminal() && isColourful(System.getenv());
    }

    /**
     * Whether a terminal shows colours, and its user wants them: an empty NO_COLOR does not count.
     */
    static boolean isColourful(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !Set.of("", "dumb").contains(environment.getOrDefault("TERM", ""));
    }

    /** Writes a line of data. */
    void print(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Throws if something that was printed on a stream over {@link #out} could not be written. */
    static void checkPrinted(PrintStream out) throws IOException {
        if (out.checkError()) {
            throw notPrinted();
        }
    }

    /**
     * The error to throw if something could not be written, and what printed it does not say why.
     */
    static IOException notPrinted() {
        return new IOException("what was printed did not reach stdout");
    }

    /** Says something to people. */
    void say(String words) {
        err.println(words);
    }

    /** How many bytes can be read if the input is a file; 0 if it is not. */
    long inputSize() {
        if (in != System.in || terminals.contains("0")) {
            return 0;
        }
        try {
            // Not closed: that would close the descriptor, which is not ours.
            FileInputStream input = new FileInputStream(FileDescriptor.in);
            return Math.max(input.getChannel().size() - input.getChannel().position(), 0);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Whether there is a terminal on which somebody can be asked. */
    boolean canAsk() {
        return terminals.contains("0") && terminals.contains("2");
    }

    /** Asks a question that is answered with yes or no. */
    boolean ask(String question) throws IOException {
        err.print(question + " [y/N] ");
        err.flush();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            answer.write(next);
        }
        String words = answer.toString(StandardCharsets.UTF_8).strip();
        return words.equalsIgnoreCase("y") || words.equalsIgnoreCase("yes");
    }
}
