// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;

/** The kit on engine zero. */
class MemoryKitTest extends Kit {

    @Override
    protected Testbed newTestbed() {
        return new Testbed() {
            @Override
            public String url() {
                return "memory:";
            }
        };
    }
}
