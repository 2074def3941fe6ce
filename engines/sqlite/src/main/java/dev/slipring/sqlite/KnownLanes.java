// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.LaneRow;

/** The lanes of a ring as a connection knows them, and who pushed to the ring last. */
final class KnownLanes implements KnownRows {

    private final long ring;
    private final Buffered<Integer, LaneRow> lanes = new Buffered<>();
    private Turn last = Turn.NOBODY;

    private KnownLanes(long ring) {
        this.ring = ring;
    }

    /**
     * A push of a producer.
     *
     * @param producer who; 0 for nobody who will ask
     * @param number its number
     */
    record Turn(long producer, long number) {

        static final Turn NOBODY = new Turn(0, 0);
    }

    /** Reads all rows of a ring's lanes. */
    static KnownLanes read(Statements statements, long ring) {
        KnownLanes known = new KnownLanes(ring);
        statements.each(
                "SELECT lane, head, gate, bytes, producer, number FROM slipring_sequence"
                        + " WHERE ring = ? AND stage = '' AND epoch = 0",
                row -> {
                    int lane = row.getInt(1);
                    known.lanes.read(
                            lane,
                            new LaneRow(lane, row.getLong(2), row.getLong(3), row.getLong(4)));
                    if (lane == 0) {
                        known.last = new Turn(row.getLong(5), row.getLong(6));
                    }
                    return true;
                },
                ring);
        return known;
    }

    @Override
    public int size() {
        return lanes.size();
    }

    /** By number. */
    Buffered<Integer, LaneRow> lanes() {
        return lanes;
    }

    /** The last push of all. */
    Turn last() {
        return last;
    }

    /** Keeps the last push of all; it stands in the row of lane 0. */
    void last(Turn turn) {
        last = turn;
        LaneRow first = lanes.get(0);
        if (first != null) {
            lanes.put(0, first);
        }
    }

    @Override
    public void write(Statements statements) {
        lanes.write((number, lane) -> write(statements, lane));
    }

    private void write(Statements statements, LaneRow lane) {
        Turn turn = lane.lane() == 0 ? last : Turn.NOBODY;
        Object[] values = {
            lane.head(),
            lane.gate(),
            lane.bytes(),
            turn.producer(),
            turn.number(),
            ring,
            lane.lane()
        };
        int changed =
                statements.update(
                        "UPDATE slipring_sequence SET head = ?, gate = ?, bytes = ?, producer = ?,"
                                + " number = ? WHERE ring = ? AND stage = '' AND lane = ?"
                                + " AND epoch = 0",
                        values);
        if (changed == 0) {
            statements.update(
                    "INSERT INTO slipring_sequence (head, gate, bytes, producer, number, ring,"
                            + " lane, stage, epoch) VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)",
                    values);
        }
    }
}
