// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** File systems on which a file is not safe, or SQLite does not work. */
class FileLocationTest {

    @TempDir Path folder;

    private Store store(Opening opening, String type, String mounts) throws Exception {
        Path table = Files.writeString(folder.resolve("mounts"), mounts);
        return new Opener(opening, LogChannel::new, new FileLocation(path -> type, table)).open();
    }

    private Opening opening(String options) {
        return Opening.of("sqlite:" + folder.resolve("a file.db") + options);
    }

    private Opening source() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve("a file.db"));
        return new Opening(null, source, InstantSource.system(), true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "smbfs"})
    void aShareOfSeveralMachinesIsRefused(String type) throws Exception {
        assertThatThrownBy(() -> store(opening(""), type, ""))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("network share (" + type + ")")
                .hasMessageContaining("'?machines=one'");
        assertThat(folder.resolve("a file.db")).doesNotExist();
        store(opening("?machines=one&busy=1"), type, "").close();
        store(source(), type, "").close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuse", "apfs", "NTFS"})
    void aDiskOfThisMachineIsTaken(String type) throws Exception {
        store(opening(""), type, "").close();
        assertThat(folder.resolve("a file.db")).isNotEmptyFile();
    }

    /** The table that Linux has of a container's mounts. */
    @Test
    void aFileThatIsMountedWithoutItsFolderIsRefused() throws Exception {
        store(opening(""), "ext4", "").close();
        String root = mount("/");
        String itself = mount(folder.resolve("a file.db").toRealPath().toString());
        for (Opening opening : new Opening[] {opening("?machines=one"), source()}) {
            assertThatThrownBy(() -> store(opening, "ext4", root + itself))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("is mounted by itself")
                    .hasMessageEndingWith("mount its folder");
        }
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a file.db"));
        assertThatThrownBy(() -> store(Opening.of("sqlite:" + link), "ext4", root + itself))
                .hasMessageContaining("is mounted by itself");
        String above = mount(folder.toRealPath().toString());
        store(opening(""), "ext4", root + itself + above).close();
        store(opening(""), "ext4", root + above + itself.replace("file.db", "file")).close();
        store(opening(""), "ext4", "no table\n").close();
    }

    private static String mount(String point) {
        return "36 35 98:0 /mnt1 "
                + point.replace(" ", "\\040")
                + " rw,noatime master:1 - ext3 /dev/root rw\n";
    }

    /** As on a file system of FUSE's with direct_io. */
    @Test
    void memoryThatCannotBeSharedIsToldOf() {
        SQLiteException failure =
                new SQLiteException("no map", SQLiteErrorCode.SQLITE_IOERR_SHMMAP);
        assertThat(new Trouble("x.db", Duration.ofSeconds(1)).explain(new SqlFailed(failure)))
                .hasMessageStartingWith("the file system of x.db cannot map a file")
                .hasMessageEndingWith("use a disk of this machine (no map)");
    }
}
