// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.cli.demo.Canvas.Colour;
import dev.slipring.cli.text.SizeText;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ring of one lane, drawn as one: its cells run clockwise from the top, and every sequence is
 * named at its place. A position's cell is where it stands in its lap.
 */
final class RingDrawing {

    private static final int CELLS = 48;
    private static final int WIDTH = 90;
    private static final int HEIGHT = 21;
    private static final int CENTRE = WIDTH / 2;
    private static final int MIDDLE = HEIGHT / 2;
    private static final double RADIUS_X = 19;
    private static final double RADIUS_Y = 8;

    private final Survey survey;
    private final long head;
    private final long gate;
    private final long capacity;
    private final long lostFrom;
    private final long lostTo;
    private final Canvas canvas = new Canvas(WIDTH, HEIGHT);

    /**
     * How a ring stands.
     *
     * @param lostFrom where the claim of the dead worker begins
     * @param lostTo where it ends; the same if there is none
     */
    RingDrawing(Survey survey, long lostFrom, long lostTo) {
        this.survey = survey;
        this.head = survey.lanes().get(0).head();
        this.gate = survey.lanes().get(0).gate();
        this.capacity = survey.shape().spec().messages();
        this.lostFrom = lostFrom;
        this.lostTo = lostTo;
    }

    /** The drawing. */
    List<String> lines(boolean coloured) {
        for (int cell = 0; cell < CELLS; cell++) {
            draw(cell);
        }
        names().forEach(this::label);
        centre(-2, SizeText.count(capacity, "message") + " fit in", Colour.DIM);
        centre(-1, SizeText.showCount(head - gate) + " are in it", Colour.PLAIN);
        centre(0, "lap " + (head / capacity + 1), Colour.PLAIN);
        centre(2, "# held   . free", Colour.DIM);
        if (lostTo > lostFrom) {
            centre(3, "x in a dead hand", Colour.DIM);
        }
        return canvas.lines(coloured);
    }

    private void centre(int row, String text, Colour colour) {
        canvas.write(CENTRE - text.length() / 2, MIDDLE + row, text, colour);
    }

    private void draw(int cell) {
        boolean held = false;
        boolean lost = false;
        // A cell stands for the same few positions in each lap, and is drawn as held if the ring
        // holds one of them in any lap.
        long lap = gate - Math.floorMod(gate, capacity);
        for (long from = lap + cell * capacity / CELLS; from < head; from += capacity) {
            long to = from + capacity / CELLS;
            held |= Math.max(from, gate) < Math.min(to, head);
            lost |= Math.max(from, lostFrom) < Math.min(to, lostTo);
        }
        canvas.write(
                x(cell, 0),
                y(cell, 0),
                lost ? "x" : held ? "#" : ".",
                lost ? Colour.RED : held ? Colour.GREEN : Colour.DIM);
    }

    /** The sequences by where they stand, the furthest first. */
    private Map<Long, List<String>> names() {
        Map<Long, List<String>> names = new TreeMap<>(Comparator.reverseOrder());
        names.computeIfAbsent(head, key -> new ArrayList<>()).add("head");
        for (StageSurvey stage : survey.stages()) {
            names.computeIfAbsent(stage.done(), key -> new ArrayList<>()).add(stage.name());
        }
        names.computeIfAbsent(gate, key -> new ArrayList<>()).add("gate");
        return names;
    }

    private void label(long position, List<String> names) {
        int cell = (int) (Math.floorMod(position, capacity) * CELLS / capacity);
        boolean right = cell < CELLS / 2;
        String text = SizeText.showCount(position) + " " + String.join(", ", names);
        int row = y(cell, 0.6);
        int column = right ? x(cell, 3) : x(cell, 3) - text.length() + 1;
        int direction = Math.cos(angle(cell)) < 0 ? 1 : -1;
        while (row > 0 && row < HEIGHT - 1 && !canvas.isFree(column, row, text.length())) {
            row += direction;
        }
        canvas.write(column, row, text, Colour.CYAN);
    }

    private static double angle(int cell) {
        return 2 * Math.PI * cell / CELLS;
    }

    private static int x(int cell, double beyond) {
        return (int) Math.round(CENTRE + (RADIUS_X + beyond) * Math.sin(angle(cell)));
    }

    private static int y(int cell, double beyond) {
        return (int) Math.round(MIDDLE - (RADIUS_Y + beyond) * Math.cos(angle(cell)));
    }
}
