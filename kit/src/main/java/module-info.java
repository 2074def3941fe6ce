// SPDX-License-Identifier: Apache-2.0
/** The kit: what durable means, as tests that every engine must pass. */
module dev.slipring.kit {
    requires transitive dev.slipring;
    requires transitive org.junit.jupiter.api;
    requires java.logging;
    requires org.assertj.core;

    exports dev.slipring.kit;
    exports dev.slipring.kit.server;
    exports dev.slipring.kit.steps;
}
