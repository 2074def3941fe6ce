// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small disk in memory that can be filled. Mounting it needs a right. */
public final class SmallDisk implements AutoCloseable {

    private final Path folder;
    private final String reason;

    /** Takes the disk away if the process is ended before {@link #close()}. */
    private final Thread ending = new Thread(this::detach, "torture-disk");

    private SmallDisk(Path folder, String reason) {
        this.folder = folder;
        this.reason = reason;
    }

    /** Mounts one; if that fails, {@link #reason} says why. */
    public static SmallDisk mount(Path folder, int mebibytes)
            throws IOException, InterruptedException {
        Path at = folder.toAbsolutePath();
        if (at.getParent() != null) {
            Files.createDirectories(at.getParent());
        }
        Files.createDirectory(at);
        boolean there =
                run(
                        "mount",
                        "-t",
                        "tmpfs",
                        "-o",
                        "size=" + mebibytes + "m",
                        "tmpfs",
                        at.toString());
        if (!there) {
            Files.delete(at);
        }
        SmallDisk disk =
                new SmallDisk(at, there ? "" : "mounting a small one needs root on Linux (tmpfs)");
        Runtime.getRuntime().addShutdownHook(disk.ending);
        return disk;
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it was mounted. */
    public boolean isThere() {
        return reason.isEmpty();
    }

    /** Why it is not there. */
    public String reason() {
        return reason;
    }

    /** Where it is. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(ending);
        } catch (IllegalStateException e) {
            // The process is ending, and the other thread takes the disk away.
            return;
        }
        takeAway();
    }

    /** Takes it away from its folder, even if a server still has files open on it. */
    private void takeAway() throws IOException, InterruptedException {
        if (isThere() && run("umount", "--lazy", folder.toString())) {
            Files.delete(folder);
        }
    }

    private void detach() {
        try {
            takeAway();
        } catch (IOException e) {
            // An empty folder is left over.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
