// SPDX-License-Identifier: Apache-2.0
/** JSON, by Jackson: bodies of messages, and what Slipring answers. */
module dev.slipring.json {
    requires transitive dev.slipring;
    requires transitive com.fasterxml.jackson.databind;

    exports dev.slipring.json;
}
