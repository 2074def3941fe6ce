// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.engine.Engine;
import dev.slipring.engine.Engines;

import picocli.CommandLine.IVersionProvider;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.stream.Collectors;

/** Which version this is, and which engines it has. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        String engines =
                Engines.all().stream().map(Engine::name).sorted().collect(Collectors.joining(", "));
        return new String[] {
            "slipring " + number() + " (engines: " + engines + "; Java " + Runtime.version() + ")"
        };
    }

    private static String number() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }
}
