// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.List;

/**
 * The version of a store's schema.
 *
 * @param installed the version in the store; 0 if there is none
 * @param current the version that this engine works with
 * @param scripts the SQL of the steps from nothing to the current version, in order
 */
public record Schema(int installed, int current, List<String> scripts) {

    public Schema {
        scripts = List.copyOf(scripts);
    }
}
