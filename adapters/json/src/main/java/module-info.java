// SPDX-License-Identifier: Apache-2.0
/** JSON bodies, by Jackson. */
module dev.slipring.json {
    requires transitive dev.slipring;
    requires transitive com.fasterxml.jackson.databind;

    exports dev.slipring.json;
}
