// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.time.Duration;

/** A role that owns the schema and its members, which have the same rights. */
class MembersTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @BeforeEach
    void makeRoles() throws SQLException {
        database.run(
                "CREATE ROLE own1 LOGIN; CREATE ROLE app1 LOGIN; CREATE ROLE app2 LOGIN;"
                        + " GRANT own1 TO app1, app2;"
                        + " GRANT CREATE ON DATABASE "
                        + database.name()
                        + " TO own1");
    }

    @AfterEach
    void dropRoles() throws SQLException {
        database.run(
                "REASSIGN OWNED BY own1, app1, app2 TO CURRENT_USER; DROP OWNED BY own1, app1,"
                        + " app2; DROP ROLE app1; DROP ROLE app2; DROP ROLE own1");
    }

    private Slipring as(String role) {
        return Slipring.open(database.url(role));
    }

    @Test
    void whatOneMakesAllUse() throws SQLException {
        try (Slipring owner = as("own1");
                Slipring one = as("app1");
                Slipring two = as("app2")) {
            owner.create(RingSpec.named("first"));
            one.create(RingSpec.named("r"));
            two.ring("r").push("m");
            try (Claim claim = owner.ring("r").stage().claim(1, Duration.ofSeconds(20))) {
                assertThat(claim.deliveries()).hasSize(1);
                claim.done();
            }
            assertThat(two.ring("r").info().pushed()).isEqualTo(1);
            two.drop("r");
        }
    }

    /** The owner can use what a superuser creates in the schema. */
    @Test
    void whatASuperuserMakesTheOwnerUses() throws SQLException {
        try (Slipring owner = as("own1")) {
            owner.create(RingSpec.named("first"));
            database.slipring().create(RingSpec.named("r"));
            owner.ring("r").push("m");
            owner.drop("r");
        }
    }

    /**
     * A member that gets the role's rights only with SET ROLE is told so, and can set the role in
     * the URL.
     */
    @Test
    void whoDoesNotInheritIsToldSo() throws SQLException {
        as("own1").close();
        database.run("ALTER ROLE app1 NOINHERIT; REVOKE own1 FROM app1; GRANT own1 TO app1");
        assertThatThrownBy(() -> as("app1"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a member of it that does not inherit its rights")
                .hasMessageContaining("options=-c%20role=own1");
        String asOwner = "?options=-c%20role=own1";
        try (Slipring one = Slipring.open(database.url("app1") + asOwner)) {
            one.create(RingSpec.named("r")).push("m");
            assertThat(one.ring("r").check()).isEmpty();
        }
        database.run("ALTER ROLE app1 INHERIT; REVOKE own1 FROM app1; GRANT own1 TO app1");
        as("app1").close();
    }
}
