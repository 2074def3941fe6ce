// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.List;

/** Promise 3, at the end: every stage that stayed has done every message. */
final class EndCheck {

    private final History history;
    private final Places places;
    private final List<Dones> dones;
    private final Finding finding;
    private long lost;

    EndCheck(History history, Places places, List<Dones> dones, Finding finding) {
        this.history = history;
        this.places = places;
        this.dones = dones;
        this.finding = finding;
    }

    /** Returns how many messages did not become done, counted for each stage anew. */
    long check() {
        if (history.pushed >= 0 && history.pushed != places.messages()) {
            finding.tell(
                    3,
                    "the ring took "
                            + history.pushed
                            + " messages, and "
                            + places.messages()
                            + " were handed out",
                    history.begin(),
                    history.begin());
        }
        for (Dones stage : dones) {
            if (Course.STAGES.contains(stage.stage())) {
                places.held()
                        .all()
                        .forEach(
                                (lane, column) -> {
                                    for (long at = 0; at < column.size(); at++) {
                                        check(stage, lane, at);
                                    }
                                });
            } else {
                visitor(stage);
            }
        }
        return lost;
    }

    private void check(Dones stage, int lane, long at) {
        boolean isThere = places.producer(lane, at) >= 0 && !stage.isDone(lane, at);
        if (isThere && !history.isDropped(stage.stage(), lane + "-" + at)) {
            lost++;
            finding.tell(
                    3,
                    "stage '" + stage.stage() + "' never did message " + lane + "-" + at,
                    stage.stage(),
                    lane,
                    at);
        }
    }

    /** A visiting stage that stayed has done all messages that were pushed after it came. */
    private void visitor(Dones stage) {
        Order last = null;
        for (Order order : history.orders) {
            boolean other = order.kind.equals("add") || order.kind.equals("remove");
            last = order.stage.equals(stage.stage()) && other ? order : last;
        }
        if (last == null || !last.ok || !last.kind.equals("add")) {
            return;
        }
        for (Push push : history.pushes) {
            for (int i = 0; push.begin > last.end && i < push.count; i++) {
                long at = places.position(push.producer, push.number + i);
                if (at >= 0) {
                    check(stage, places.lane(push.producer, push.number + i), at);
                }
            }
        }
    }
}
