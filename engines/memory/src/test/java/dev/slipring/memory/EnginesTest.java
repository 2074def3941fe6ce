// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Engine;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Engines are found whatever the thread's context class loader knows. */
class EnginesTest {

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir private Path folder;

    @AfterEach
    void giveBack() {
        Thread.currentThread().setContextClassLoader(before);
    }

    /**
     * For example on a thread of the common pool, if the application has a class loader of its own.
     */
    @Test
    void aContextThatKnowsNoneHidesNone() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        Slipring.open("memory:").close();
    }

    @Test
    void anEngineThatIsBrokenHidesNoOther() throws Exception {
        try (URLClassLoader loader = loader("not.there.BrokenEngine")) {
            Thread.currentThread().setContextClassLoader(loader);
            Slipring.open("memory:").close();
            assertThatThrownBy(() -> Slipring.open("other:"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("those on the class path are memory (")
                    .hasMessageContaining("not.there.BrokenEngine")
                    .hasMessageContaining("META-INF/services/dev.slipring.engine.Engine");
        }
    }

    /** For example an engine whose driver was left out. */
    @Test
    void anEngineThatLacksAClassHidesNoOther() throws Exception {
        try (URLClassLoader loader = loader(WithoutDriver.class.getName())) {
            Thread.currentThread().setContextClassLoader(loader);
            Slipring.open("memory:").close();
            assertThatThrownBy(() -> Slipring.open("other:"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("engine without-driver lacks a class")
                    .hasMessageContaining("org/driver/Source");
        }
    }

    /** For example an engine that knows its URL without its driver, and opens nothing. */
    @Test
    void whoOpensIsToldOfAClassThatIsNotThere() throws Exception {
        try (URLClassLoader loader = loader(WithoutDriver.class.getName())) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThatThrownBy(() -> Slipring.open("known:"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("engine without-driver lacks a class")
                    .hasMessageContaining("org/driver/Source");
        }
    }

    /** An engine that is asked before others, and whose driver is not there. */
    public static final class WithoutDriver implements Engine {

        /** As the loader of services needs it. */
        public WithoutDriver() {}

        @Override
        public String name() {
            return "without-driver";
        }

        @Override
        public String urlForm() {
            return "other:";
        }

        @Override
        public boolean accepts(String url) {
            if (url.equals("known:")) {
                return true;
            }
            throw new NoClassDefFoundError("org/driver/Source");
        }

        @Override
        public List<String> scripts() {
            return List.of();
        }

        @Override
        public Store open(Opening opening) {
            throw new NoClassDefFoundError("org/driver/Source");
        }
    }

    /**
     * For example if several jars were merged into one that has the services of one of them only.
     */
    @Test
    void whatTheOnlyArtifactDoesNotKnowMayHaveBeenLost() {
        assertThatThrownBy(() -> Slipring.open("other:"))
                .hasMessageContaining("META-INF/services/dev.slipring.engine.Engine");
    }

    /** For example in an image of jlink, which has only the modules that are required. */
    @Test
    void modulesAreToldWhichToRequire() throws Exception {
        Path core =
                Path.of(Engine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleLayer boot = ModuleLayer.boot();
        Configuration modules =
                boot.configuration()
                        .resolve(ModuleFinder.of(core), ModuleFinder.of(), Set.of("dev.slipring"));
        ClassLoader alone =
                boot.defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader())
                        .findLoader("dev.slipring");
        Thread.currentThread().setContextClassLoader(alone);
        Method open = alone.loadClass(Slipring.class.getName()).getMethod("open", String.class);
        assertThatThrownBy(() -> open.invoke(null, "memory:"))
                .cause()
                .hasMessageContaining("slipring-sqlite")
                .hasMessageContaining("let yours require dev.slipring.sqlite");
    }

    private URLClassLoader loader(String engine) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(services.resolve(Engine.class.getName()), List.of(engine));
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, before);
    }
}
