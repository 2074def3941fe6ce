// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.List;
import java.util.Objects;

/**
 * What to do with the dead letters of a stage.
 *
 * @param action list, retry or drop
 * @param stage the stage
 * @param ids which ones ({@code lane-position}) to retry or drop; empty means all
 * @param behind list those behind this one ({@code lane-position}); null from the first
 * @param limit how many to list at most; fewer where their messages are large
 */
public record DeadRequest(Action action, String stage, List<String> ids, String behind, int limit) {

    public DeadRequest {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(stage, "stage");
        ids = List.copyOf(ids);
    }

    /** Shows the next behind one. */
    public static DeadRequest list(String stage, String behind, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "a list of at most " + limit + " dead letters; ask for 1 or more");
        }
        return new DeadRequest(Action.LIST, stage, List.of(), behind, limit);
    }

    /** Retries or drops those named; all if none is. */
    public static DeadRequest of(Action action, String stage, List<String> ids) {
        return new DeadRequest(action, stage, ids, null, 0);
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
