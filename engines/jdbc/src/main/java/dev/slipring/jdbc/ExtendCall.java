// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The word that extends a claim, as a call of {@code slipring_extend}: the leases of many claims in
 * one lane are extended one after the other, and nobody keeps the lane for a round trip.
 */
final class ExtendCall {

    private final Procedures procedures;
    private final Shape shape;
    private final Settlement word;
    private String outcome = "other";
    private int left;

    ExtendCall(Procedures procedures, Shape shape, Settlement word) {
        this.procedures = procedures;
        this.shape = shape;
        this.word = word;
    }

    /**
     * Extends the claim; null if nothing has happened.
     *
     * @param wait whether to wait for whoever has the lane
     */
    Settled settle(boolean wait) {
        boolean usual = isExtension() && procedures.shape(shape.spec().name()) != null;
        return usual && procedures.call(own -> call(own, wait)) ? new Settled(left, 0) : null;
    }

    /** Whether the word says nothing else, of messages that had not been set aside. */
    private boolean isExtension() {
        return word.rest() == Rest.EXTEND
                && word.done().isEmpty()
                && word.failed().isEmpty()
                && !word.ticket().retry();
    }

    /** Whether nothing has happened because somebody else has the lane. */
    boolean isKept() {
        return outcome.equals("kept");
    }

    private boolean call(OwnWork own, boolean wait) {
        StageSpec stage = shape.spec().stages().get(word.ticket().stage());
        // It may be done twice: then it is later that the lease begins anew.
        own.callAgain(
                new Script()
                        .read(
                                "CALL slipring_extend(?, ?, ?, ?, ?, ?, ?)",
                                this::read,
                                shape.id(),
                                shape.version(),
                                word.ticket().lane(),
                                stage.name(),
                                word.ticket().epoch(),
                                stage.lease().toMillis(),
                                wait ? 1 : 0));
        return outcome.equals("extended");
    }

    private void read(ResultSet row) throws SQLException {
        Reply reply = new Reply(row);
        outcome = reply.text();
        if (outcome.equals("extended")) {
            long first = reply.large();
            int count = (int) (reply.large() - first);
            left = count - ClaimText.settled(reply.text()).cardinality();
        }
    }
}
