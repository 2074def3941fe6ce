// SPDX-License-Identifier: Apache-2.0
/** Measures rings beside other queues. */
module dev.slipring.bench {
    requires transitive dev.slipring;
    requires com.fasterxml.jackson.databind;
    requires com.github.kagkarlsson.scheduler;
    requires com.zaxxer.hikari;
    requires HdrHistogram;
    requires java.management;
    requires java.sql;
    requires jdk.management;
    requires org.postgresql.jdbc;

    uses dev.slipring.bench.Suite;

    exports dev.slipring.bench;

    opens dev.slipring.bench to
            com.fasterxml.jackson.databind;
    opens dev.slipring.bench.report to
            com.fasterxml.jackson.databind;
}
