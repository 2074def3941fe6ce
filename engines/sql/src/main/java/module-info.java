// SPDX-License-Identifier: Apache-2.0
/** What the engines that speak SQL share: how rows are read and written, and what is set aside. */
module dev.slipring.sql {
    requires transitive dev.slipring;
    requires transitive java.sql;

    exports dev.slipring.sql;
}
