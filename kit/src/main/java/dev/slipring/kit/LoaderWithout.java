// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

/** The class path, loaded anew without a library that an application may leave out. */
public final class LoaderWithout extends URLClassLoader {

    private final String hidden;

    private LoaderWithout(String hidden, URL... path) {
        super(path, ClassLoader.getPlatformClassLoader());
        this.hidden = hidden;
    }

    /**
     * Runs code that sees no class of a library, with a data source that may use the library.
     *
     * @param hidden how the names of those classes begin
     * @param code has a constructor without arguments that anyone may call
     */
    public static void use(
            String hidden, Class<? extends Consumer<DataSource>> code, DataSource source)
            throws IOException, ReflectiveOperationException {
        try (LoaderWithout loader = new LoaderWithout(hidden, path())) {
            @SuppressWarnings("unchecked")
            Consumer<DataSource> use =
                    (Consumer<DataSource>)
                            loader.loadClass(code.getName()).getConstructor().newInstance();
            use.accept(source);
        }
    }

    private static URL[] path() throws MalformedURLException {
        List<URL> path = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(new File(place).toURI().toURL());
        }
        return path.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(hidden)) {
            throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
    }
}
