// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.cli.text.NumberText;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The command {@code slipring}: what all its commands share. */
@Command(
        name = "slipring",
        description = "A message queue in the database that you already run.",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Data goes to stdout, all else to stderr. Exit code: 0, 1 (failed), 2 (wrong use).",
            "'slipring COMMAND --help' explains a command; 'slipring demo' shows what this is."
        },
        subcommands = {
            DemoCommand.class,
            CreateCommand.class,
            PushCommand.class,
            PopCommand.class,
            InfoCommand.class,
            StageCommand.class,
            DeadCommand.class,
            PurgeCommand.class,
            DropCommand.class,
            ResizeCommand.class,
            CheckCommand.class,
            MigrateCommand.class,
            WaitsCommand.class,
            BenchCommand.class,
            TortureCommand.class,
            CompletionCommand.class,
            DemoWorkerCommand.class
        })
public final class Main {

    private final Streams streams;

    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description =
                    "where the rings are: sqlite:FILE or another engine's URL; else $SLIPRING_URL, "
                            + "else sqlite:slipring.db")
    private String url;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "explain this command")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "print the version")
    private boolean version;

    private Main(Streams streams) {
        this.streams = streams;
    }

    /** Runs a command and ends the process with its exit code. */
    public static void main(String... args) {
        System.exit(run(Streams.ofProcess(), args));
    }

    /**
     * Runs a command in this process, as if none of the streams was a terminal; returns its exit
     * code.
     */
    public static int run(String[] args, InputStream in, OutputStream out, OutputStream err) {
        PrintStream words = new PrintStream(err, true, StandardCharsets.UTF_8);
        return run(new Streams(in, out, words, ""), args);
    }

    private static int run(Streams streams, String... args) {
        Failures failures = new Failures(streams, args);
        try {
            CommandLine all =
                    commandLine(streams)
                            .setExecutionExceptionHandler(failures)
                            .setParameterExceptionHandler(failures);
            int code = all.execute(args);
            // The library prints help and the version, and does not report that it could not write
            // them.
            return code == 0 && all.getOut().checkError()
                    ? failures.report(Streams.notPrinted())
                    : code;
        } catch (Throwable e) {
            return failures.report(e);
        }
    }

    /** All commands, over some streams. */
    static CommandLine commandLine(Streams streams) {
        return NumberText.understoodBy(new CommandLine(new Main(streams)))
                // An argument that begins with '@' is what it is, and not the name of a file whose
                // words are arguments.
                .setExpandAtFiles(false)
                .setOut(new PrintWriter(streams.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(streams.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(
                                streams.isOutColoured()
                                        ? CommandLine.Help.Ansi.AUTO
                                        : CommandLine.Help.Ansi.OFF))
                .setHelpFactory(RingHelp::new)
                .setUsageHelpLongOptionsMaxWidth(26)
                .setUsageHelpWidth(100);
    }

    /** What the command of this description shares with all others. */
    static Main of(CommandSpec command) {
        return (Main) command.root().userObject();
    }

    Streams streams() {
        return streams;
    }

    /** The URL that the command line or else the environment names, or null. */
    String askedUrl() {
        String environment = System.getenv("SLIPRING_URL");
        return url != null
                ? url
                : environment == null || environment.isEmpty() ? null : environment;
    }

    /** Where the rings are. */
    String url() {
        return askedUrl() != null ? askedUrl() : "sqlite:slipring.db";
    }
}
