// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users of MySQL with a password. The server wants it encrypted: by the connection, or else by a
 * key of the server. It remembers users that have logged in once, so each test has a new user.
 */
class MySqlPasswordTest {

    @RegisterExtension
    private static final RunningServer SERVER = new RunningServer(ServerFiles.MYSQL_8);

    private static int users;

    private String user;
    private String database;

    @BeforeEach
    void newUser() {
        user = "shop" + ++users;
        database = SERVER.get().newDatabase();
        SERVER.get().run("CREATE USER " + user + " IDENTIFIED BY 's3cr@t'");
        SERVER.get().run("GRANT ALL ON " + database + ".* TO " + user);
    }

    private String url(String options) {
        return "mysql://"
                + user
                + ":s3cr%40t@127.0.0.1:"
                + SERVER.get().port()
                + "/"
                + database
                + options;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?sslMode=trust&allowPublicKeyRetrieval=false"})
    void aPasswordLetsIn(String options) {
        try (Slipring slipring = Slipring.open(url(options))) {
            slipring.create(RingSpec.named("orders")).push("one");
            assertThat(slipring.ring("orders").info().heldMessages()).isEqualTo(1);
        }
    }

    @Test
    void withoutEncryptionAndKeyTheErrorSaysWhatToAdd() {
        assertThatThrownBy(() -> Slipring.open(url("?allowPublicKeyRetrieval=false")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("sslMode=verify-full")
                .hasMessageContaining("serverRsaPublicKeyFile=FILE")
                .hasMessageNotContaining("s3cr");
    }

    /**
     * The server reports a connection that is not encrypted as it reports a wrong password, so the
     * error names both.
     */
    @Test
    void whoMustEncryptIsToldThatItMayBeThat() {
        SERVER.get().run("ALTER USER " + user + " REQUIRE SSL");
        assertThatThrownBy(() -> Slipring.open(url("")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("sslMode=verify-full");
        Slipring.open(url("?sslMode=trust")).close();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost/d,true",
        "localhost:3306/d,true",
        "127.0.0.1/d,true",
        "127.1.2.3:33/d,true",
        "[::1]:3306/d,true",
        "127.0.0.1.example.com/d,false",
        "localhost.example.com:3306/d,false",
        "10.0.0.1:3306/d,false",
        "'localhost:3306,10.0.0.1:3306/d',false",
    })
    void onlyThisMachineIsAskedForItsKey(String address, boolean loopback) {
        assertThat(ServerUrl.parse("mysql://" + address).isLoopback()).isEqualTo(loopback);
    }
}
