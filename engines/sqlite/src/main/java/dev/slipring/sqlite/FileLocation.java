// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Log;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Where a file lies. The processes that use it share memory, the index of the log, which those of
 * two machines do not: each would overwrite what the other has acknowledged, without an error. And
 * the log has to stay with the file.
 */
final class FileLocation {

    /** What Java calls file systems that several machines use, on Linux and macOS. */
    private static final Set<String> SHARES =
            Set.of(
                    "afpfs",
                    "afs",
                    "beegfs",
                    "ceph",
                    "cifs",
                    "fuse.blobfuse2",
                    "fuse.ceph",
                    "fuse.ceph-fuse",
                    "fuse.gcsfuse",
                    "fuse.glusterfs",
                    "fuse.juicefs",
                    "fuse.mount-s3",
                    "fuse.rclone",
                    "fuse.s3fs",
                    "fuse.sshfs",
                    "glusterfs",
                    "lustre",
                    "nfs",
                    "nfs4",
                    "smb3",
                    "smbfs",
                    "webdav");

    /** Columns of the table of mounts. */
    private static final int POINT = 4;

    private final FileSystems systems;
    private final Path mounts;

    FileLocation() {
        this(path -> Files.getFileStore(path).type(), Path.of("/proc/self/mountinfo"));
    }

    /**
     * Where files lie.
     *
     * @param systems says of which type the file system of a file or a folder is
     * @param mounts Linux's table of mounts; elsewhere it need not be there
     */
    FileLocation(FileSystems systems, Path mounts) {
        this.systems = systems;
        this.mounts = mounts;
    }

    /** What the system knows of file systems. */
    interface FileSystems {

        /** The type of the file system that a file or a folder is in. */
        String type(Path path) throws IOException;
    }

    /** Refuses a file that others may use unseen, or whose log would be elsewhere. */
    void require(Path file, boolean oneMachine) {
        requireWithItsFolder(file);
        String share = oneMachine ? null : share(file);
        if (share != null) {
            throw new StoreFailed(
                    words(file, share)
                            + "; use a disk of this machine, or a database server; or, if no other"
                            + " machine ever opens this file, say so with '?machines=one'");
        }
    }

    /** The same for the file of a data source, which has no option to say more. */
    void requireOrTell(Path file) {
        requireWithItsFolder(file);
        String share = share(file);
        if (share != null) {
            Log.write(Level.WARNING, words(file, share), null);
        }
    }

    private static String words(Path file, String share) {
        return "the file "
                + file
                + " is on a network share ("
                + share
                + "), where SQLite loses messages as soon as a second machine opens it";
    }

    private void requireWithItsFolder(Path file) {
        if (isMountedAlone(file)) {
            throw new StoreFailed(
                    "the file "
                            + file
                            + " is mounted by itself; SQLite keeps the newest messages beside it"
                            + " (-wal), where they would be lost with the container, and who has"
                            + " mounted it elsewhere would not see them; mount its folder");
        }
    }

    private String share(Path file) {
        // In an overlay, Java finds no file system of a file, but that of its folder.
        for (Path path : List.of(file, file.getParent())) {
            try {
                String type = systems.type(path.toRealPath());
                if (SHARES.contains(type)) {
                    return type;
                }
            } catch (IOException | SecurityException unknown) {
                // It is not there yet, or in no mount that this process sees.
            }
        }
        return null;
    }

    private boolean isMountedAlone(Path file) {
        try {
            String name = escaped(file.toRealPath());
            String last = "";
            for (String line : Files.readAllLines(mounts, StandardCharsets.ISO_8859_1)) {
                String point = line.split(" ", POINT + 2)[POINT];
                // A later one hides those before.
                if (point.equals(name) || point.equals("/") || name.startsWith(point + "/")) {
                    last = point;
                }
            }
            return last.equals(name);
        } catch (IOException | SecurityException | IndexOutOfBoundsException unknown) {
            return false;
        }
    }

    /** A name as the table has it. */
    private static String escaped(Path path) {
        String bytes =
                new String(
                        path.toString().getBytes(StandardCharsets.UTF_8),
                        StandardCharsets.ISO_8859_1);
        return bytes.replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
