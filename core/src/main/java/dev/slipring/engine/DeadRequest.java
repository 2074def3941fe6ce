// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.List;
import java.util.Objects;

/**
 * What to do with the dead letters of a stage.
 *
 * @param action list, retry or drop
 * @param stage the stage
 * @param ids which ones ({@code lane-position}); empty means all
 * @param limit how many at most
 */
public record DeadRequest(Action action, String stage, List<String> ids, int limit) {

    public DeadRequest {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(stage, "stage");
        ids = List.copyOf(ids);
    }

    /** What can be done with dead letters. */
    public enum Action {
        /** Show them. */
        LIST,
        /** Hand them to the stage again, with all their attempts. */
        RETRY,
        /** Forget them, for the stages that follow too. */
        DROP
    }
}
