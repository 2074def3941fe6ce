// SPDX-License-Identifier: Apache-2.0
/** The command line of Slipring. */
module dev.slipring.cli {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.slipring;
    requires dev.slipring.bench;
    requires dev.slipring.json;
    requires dev.slipring.torture;
    requires info.picocli;

    opens dev.slipring.cli to
            info.picocli;
}
