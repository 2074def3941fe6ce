// SPDX-License-Identifier: Apache-2.0
/** Engine zero: rings in memory. */
module dev.slipring.memory {
    requires transitive dev.slipring;

    provides dev.slipring.engine.Engine with
            dev.slipring.memory.MemoryEngine;

    exports dev.slipring.memory;
}
