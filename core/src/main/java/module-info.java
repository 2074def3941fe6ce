// SPDX-License-Identifier: Apache-2.0
/**
 * Slipring: the vocabulary, the durable ring, and the seam to its engines. No dependency outside
 * the JDK.
 */
module dev.slipring {
    requires transitive java.sql;
    requires jdk.jfr;

    uses dev.slipring.engine.Engine;

    exports dev.slipring;
    exports dev.slipring.graph;
    exports dev.slipring.engine;
    exports dev.slipring.ledger;
    exports dev.slipring.ring;
}
