// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

/** A database whose language has letters of its own, as the capital i of Turkish. */
class LanguageTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void namesAndWordsStayAsTheyAre() throws Exception {
        String url = database.url() + "_tr";
        database.run(
                "CREATE DATABASE "
                        + database.name()
                        + "_tr TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr'");
        try (Slipring slipring = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("TITI"));
            ring.push("ISI");
            assertThat(ring.stage().claim(1, Duration.ZERO).deliveries().get(0).text())
                    .isEqualTo("ISI");
            try (Connection connection = Server.connect(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
                assertThatThrownBy(() -> statement.execute("SELECT * FROM slipring.claim('TITI')"))
                        .hasMessageContaining("not at SERIALIZABLE");
            }
        } finally {
            Server.drop(url);
        }
    }
}
