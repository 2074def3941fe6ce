// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the project, without those that are built. */
final class Checkout {

    /** The folder of the whole project. */
    static final Path ROOT = root();

    private Checkout() {}

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
            root = root.getParent();
        }
        return root;
    }

    /** All files whose names end with {@code ending}. */
    static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(path -> path.toString().endsWith(ending))
                    .filter(Checkout::isOurs)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isOurs(Path path) {
        String name = path.toString().replace('\\', '/');
        return Files.isRegularFile(path) && !name.contains("/target/") && !name.contains("/.git/");
    }
}
