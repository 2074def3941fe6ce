// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Methods are short; the compiler's own parser reads them. */
class MethodsTest {

    private static final long MOST_LINES = 60;

    @Test
    void methodsAreShort() throws IOException {
        List<Path> sources = Checkout.files(".java");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> tooLong = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Lengths(unit, positions, tooLong).scan(unit, null);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    /** Collects the methods of a file that are too long. */
    private static final class Lengths extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> tooLong;

        Lengths(CompilationUnitTree unit, SourcePositions positions, List<String> tooLong) {
            this.unit = unit;
            this.positions = positions;
            this.tooLong = tooLong;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            LineMap lines = unit.getLineMap();
            long start = positions.getStartPosition(unit, method);
            long end = positions.getEndPosition(unit, method);
            assertThat(Math.min(start, end)).as("places in the source").isNotNegative();
            long length = lines.getLineNumber(end) - lines.getLineNumber(start) + 1;
            if (length > MOST_LINES) {
                tooLong.add(
                        unit.getSourceFile().getName()
                                + " "
                                + method.getName()
                                + ": "
                                + length
                                + " lines");
            }
            return super.visitMethod(method, nothing);
        }
    }
}
