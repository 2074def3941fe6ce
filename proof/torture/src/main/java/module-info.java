// SPDX-License-Identifier: Apache-2.0
/** The adversary: real processes that are killed, and a judge that reads their journals. */
module dev.slipring.torture {
    requires transitive dev.slipring;
    requires java.logging;
    requires java.sql;

    exports dev.slipring.torture;
}
