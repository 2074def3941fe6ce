// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.ShapeConflict;
import dev.slipring.engine.Change;
import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rings that are made, resized, purged and dropped. */
final class RingRule {

    private RingRule() {}

    /** Makes the ring, or sees that the one that was found, if any, has the same shape. */
    static long create(RingRows rows, Shape found, RingSpec wanted, int defaultLanes) {
        RingSpec spec =
                wanted.lanes() > 0
                        ? wanted
                        : wanted.lanes(found == null ? defaultLanes : found.spec().lanes());
        if (found != null) {
            checkSame(found.spec(), spec);
            return 0;
        }
        Shape shape = rows.rings().insert(spec);
        for (int lane = 0; lane < spec.lanes(); lane++) {
            rows.lanes().put(shape.id(), new LaneRow(lane, 0, 0, 0));
            for (String stage : spec.stages().names()) {
                rows.strands().put(shape.id(), Strand.at(stage, lane, 0, Epochs.before(shape)));
            }
        }
        return 1;
    }

    private static void checkSame(RingSpec found, RingSpec wanted) {
        List<String> differences = new ArrayList<>();
        differ(differences, "lanes", found.lanes(), wanted.lanes());
        differ(differences, "messages", found.messages(), wanted.messages());
        differ(differences, "bytes", found.bytes(), wanted.bytes());
        if (!found.stages().equals(wanted.stages())) {
            differ(differences, found.stages(), wanted.stages());
        }
        if (!differences.isEmpty()) {
            throw new ShapeConflict(
                    "ring '"
                            + found.name()
                            + "' exists in another shape: "
                            + String.join("; ", differences)
                            + ". Its stages and capacity change with 'stage' and 'resize'; in Java"
                            + " createIfMissing takes it as it is");
        }
    }

    private static void differ(List<String> differences, Stages found, Stages wanted) {
        int before = differences.size();
        for (String name : wanted.names()) {
            if (found.has(name)) {
                differ(differences, found.get(name), wanted.get(name));
            }
        }
        if (differences.size() == before || !found.names().equals(wanted.names())) {
            differences.add("the graph is " + found + ", not " + wanted);
        }
    }

    private static void differ(List<String> differences, StageSpec found, StageSpec wanted) {
        String of = " of stage '" + found.name() + "'";
        differ(differences, "the mode" + of, found.mode(), wanted.mode());
        differ(differences, "the lease" + of, found.lease(), wanted.lease());
        differ(differences, "the number of tries" + of, found.tries(), wanted.tries());
        differ(
                differences,
                "the first back-off" + of,
                found.backoff().first(),
                wanted.backoff().first());
        differ(
                differences,
                "the longest back-off" + of,
                found.backoff().most(),
                wanted.backoff().most());
        differ(differences, "what may be kept" + of, found.keep(), wanted.keep());
    }

    private static void differ(List<String> differences, String what, Object found, Object wanted) {
        if (!found.equals(wanted)) {
            differences.add(what + " is " + words(found) + ", not " + words(wanted));
        }
    }

    /** A value as people write it. */
    private static String words(Object value) {
        return value instanceof Duration || value instanceof Mode
                ? value.toString().replaceFirst("^PT", "").toLowerCase(Locale.ROOT)
                : value.toString();
    }

    static long resize(RingRows rows, Shape shape, Change.Resize change) {
        RingSpec.checkCapacity(shape.spec().name(), change.messages(), change.bytes());
        RingSpec spec = shape.spec().messages(change.messages()).bytes(change.bytes());
        rows.rings().update(new Shape(shape.id(), shape.version() + 1, spec, shape.paused()));
        return 1;
    }

    static long purge(RingRows rows, Shape shape) {
        long purged = 0;
        List<LaneRow> lanes = rows.lanes().whole(shape);
        for (LaneRow lane : lanes) {
            purged += lane.held();
            rows.lanes().release(shape.id(), lane.lane(), Long.MAX_VALUE);
            rows.lanes().put(shape.id(), new LaneRow(lane.lane(), lane.head(), lane.head(), 0));
        }
        for (String stage : shape.spec().stages().names()) {
            List<Strand> strands = rows.strands().of(shape.id(), stage);
            rows.strands().delete(shape.id(), stage);
            rows.aside().deleteAll(shape.id(), stage);
            strands.forEach(
                    strand ->
                            rows.strands()
                                    .put(
                                            shape.id(),
                                            strand.purged(lanes.get(strand.lane()).head())));
        }
        return purged;
    }
}
