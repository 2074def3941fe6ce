// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Slipring;
import dev.slipring.StoreUnreachable;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;

/**
 * What a member of MySQL's group replication says of a commit when it was cut off from the others,
 * said here by a trigger: the server of the tests comes without groups.
 */
@Timeout(180)
class CutOffMemberTest {

    @RegisterExtension
    private static final RunningServer SERVER = new RunningServer(ServerFiles.MYSQL_8);

    /** One slot goes by a procedure, several go by the rules in Java. */
    @Test
    void aCommitThatTheGroupMayHaveIsUnknown() {
        String database = SERVER.get().newDatabase();
        try (Slipring slipring = Slipring.open(SERVER.get().url(database))) {
            slipring.create(RingSpec.named("r").lanes(2));
            push(slipring, 1, 1);
            SERVER.get()
                    .run(
                            "CREATE TRIGGER "
                                    + database
                                    + ".hook BEFORE UPDATE ON "
                                    + database
                                    + ".slipring_lane FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET"
                                    + " MYSQL_ERRNO = 3100, MESSAGE_TEXT = 'Error on observer while"
                                    + " running replication hook ''before_commit''.'");
            for (int slots = 1; slots <= 2; slots++) {
                int several = slots;
                assertThatThrownBy(() -> push(slipring, several, 2))
                        .isInstanceOf(OutcomeUnknown.class)
                        .hasMessageContaining("may or may not be stored");
            }
            assertThat(slipring.ring("r").info().retries()).isZero();
        }
    }

    /** A member that is out of its group goes offline, and may be back soon. */
    @Test
    void aServerThatIsOfflineIsOutOfReach() {
        Server server = SERVER.get();
        String database = server.newDatabase();
        server.run("CREATE USER app");
        server.run("GRANT ALL ON " + database + ".* TO app");
        String url = server.url(database).replace("root@", "app@");
        try (Slipring slipring = Slipring.open(url)) {
            slipring.create(RingSpec.named("r"));
            push(slipring, 1, 1);
            server.run("SET GLOBAL offline_mode = ON");
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(StoreUnreachable.class)
                    .hasMessageContaining("is offline; nothing was stored");
            server.run("SET GLOBAL offline_mode = OFF");
            slipring.ring("r").push("again");
            assertThat(slipring.ring("r").info().pushed()).isEqualTo(2);
        } finally {
            server.run("SET GLOBAL offline_mode = OFF");
        }
    }

    private static void push(Slipring slipring, int slots, long number) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        Slot first = new Slot(0, 4_711, number, 1, body);
        Slot second = new Slot(1, 4_711, number, 1, body);
        slipring.store().push("r", List.of(first, second).subList(0, slots));
    }
}
