// SPDX-License-Identifier: Apache-2.0
/** Small programs that use Slipring as an application would. */
module dev.slipring.examples {
    requires dev.slipring;
    requires dev.slipring.sqlite;
    requires transitive java.sql;

    exports dev.slipring.examples;
}
