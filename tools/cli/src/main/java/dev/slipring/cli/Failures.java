// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.SlipringException;
import dev.slipring.bench.BenchFailed;
import dev.slipring.cli.stream.BadLine;
import dev.slipring.graph.PrintableText;
import dev.slipring.engine.Passwords;
import dev.slipring.graph.NoSuchStage;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * Tells what went wrong, in one line and as an exit code: 1 if the command failed, 2 if it was used
 * wrongly.
 */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {

    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private final Streams streams;
    private final List<String> args;

    /** Of a command line, whose arguments may be URLs. */
    Failures(Streams streams, String... args) {
        this.streams = streams;
        this.args = List.of(args);
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        boolean noCommand = command.getParent() == null && args.length == 0;
        if (noCommand) {
            command.usage(streams.err());
            return WRONG_USE;
        }
        tell(e, words(e) + "; see '" + called(command.getCommandSpec()) + " --help'");
        return WRONG_USE;
    }

    /** How a command is called, with RING in its place. */
    private static String called(CommandSpec spec) {
        CommandSpec above = spec.parent();
        return above != null && above.userObject() instanceof OfRing
                ? above.qualifiedName() + " RING " + spec.name()
                : spec.qualifiedName();
    }

    private static String words(ParameterException e) {
        return e instanceof UnmatchedArgumentException left
                        && !left.isUnknownOption()
                        && !e.getCommandLine().getSubcommands().isEmpty()
                ? "no command '" + left.getUnmatched().get(0) + "'"
                : e.getMessage();
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        return e instanceof ParameterException wrong
                ? handleParseException(wrong, new String[] {""})
                : report(e);
    }

    /** Tells what went wrong; returns the exit code. */
    int report(Throwable e) {
        if (e instanceof NoSuchStage) {
            // As a ring, it may have been there a moment ago, or be there in a moment.
            tell(e, words(e));
            return FAILED;
        }
        if (e instanceof IllegalArgumentException) {
            tell(e, words(e));
            return WRONG_USE;
        }
        if (e instanceof OutOfMemoryError) {
            tell(e, shortage(words(e)));
        } else if (e instanceof IOException || e instanceof UncheckedIOException) {
            Throwable why = e instanceof UncheckedIOException ? e.getCause() : e;
            tell(e, "cannot read or write: " + fileWords(why));
        } else if (e instanceof SlipringException
                || e instanceof BadLine
                || e instanceof BenchFailed) {
            tell(e, words(e));
        } else {
            tell(e, "this should not have happened: " + e + " (SLIPRING_TRACE=1 shows where)");
        }
        return FAILED;
    }

    /** Says whether memory or threads have run out: Java throws the same error for both. */
    private static String shortage(String words) {
        return words.contains("thread")
                ? "the system gives this process no more threads; allow more (ulimit -u, or the"
                        + " most processes of its container) ("
                        + words
                        + ")"
                : "out of memory; give more with SLIPRING_JAVA_OPTS=-Xmx1g (" + words + ")";
    }

    /** Says what is wrong with a file: the message of these exceptions is only its name. */
    private static String fileWords(Throwable e) {
        String words = words(e);
        if (e instanceof NoSuchFileException) {
            return words + " is not there, or a folder above it is not";
        }
        if (e instanceof AccessDeniedException) {
            return words + ": this process has no right to it";
        }
        return e instanceof FileAlreadyExistsException ? words + " is there already" : words;
    }

    private static String words(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private void tell(Throwable e, String words) {
        String shown = withoutPasswords(words);
        String line = shown.strip().replaceAll("(?<!\\s)\\s*\\R\\s*", " ");
        streams.say("slipring: " + PrintableText.of(line));
        if ("1".equals(System.getenv("SLIPRING_TRACE"))) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            streams.say(withoutPasswords(trace.toString()));
        }
    }

    /** A URL that stands in the wrong place is quoted; its password may have spaces and quotes. */
    private String withoutPasswords(String text) {
        String masked = text;
        for (String arg : args) {
            masked = arg.contains("//") ? masked.replace(arg, Passwords.maskedUrl(arg)) : masked;
        }
        return Passwords.masked(masked);
    }
}
