// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
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

    private static void push(Slipring slipring, int slots, long number) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        Slot first = new Slot(0, 4_711, number, 1, body);
        Slot second = new Slot(1, 4_711, number, 1, body);
        slipring.store().push("r", List.of(first, second).subList(0, slots));
    }
}
