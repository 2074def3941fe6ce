// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A rectangle of characters to draw on, with colours where they can be shown. */
final class Canvas {

    /** The colours, as terminals number them; 0 is none. */
    enum Colour {
        PLAIN(0),
        DIM(2),
        RED(31),
        GREEN(32),
        YELLOW(33),
        CYAN(36);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    private final char[][] cells;
    private final Colour[][] colours;

    Canvas(int width, int height) {
        cells = new char[height][width];
        colours = new Colour[height][width];
        for (int row = 0; row < height; row++) {
            Arrays.fill(cells[row], ' ');
            Arrays.fill(colours[row], Colour.PLAIN);
        }
    }

    /** Writes a text; what would be outside the canvas is cut off. */
    void write(int column, int row, String text, Colour colour) {
        for (int i = 0; i < text.length(); i++) {
            int at = column + i;
            if (row >= 0 && row < cells.length && at >= 0 && at < cells[row].length) {
                cells[row][at] = text.charAt(i);
                colours[row][at] = colour;
            }
        }
    }

    /** Whether nothing is written there, nor directly beside it. */
    boolean isFree(int column, int row, int length) {
        if (row < 0 || row >= cells.length) {
            return false;
        }
        for (int at = Math.max(column - 1, 0);
                at <= Math.min(column + length, cells[row].length - 1);
                at++) {
            if (cells[row][at] != ' ') {
                return false;
            }
        }
        return true;
    }

    /** The lines, from the first to the last that is not empty. */
    List<String> lines(boolean coloured) {
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < cells.length; row++) {
            lines.add(coloured ? coloured(row) : new String(cells[row]).stripTrailing());
        }
        while (lines.get(0).isEmpty()) {
            lines.remove(0);
        }
        while (lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        return lines;
    }

    private String coloured(int row) {
        StringBuilder line = new StringBuilder();
        Colour last = Colour.PLAIN;
        int width = new String(cells[row]).stripTrailing().length();
        for (int column = 0; column < width; column++) {
            Colour colour = colours[row][column];
            if (colour != last) {
                line.append("\u001b[0m");
                line.append(colour == Colour.PLAIN ? "" : "\u001b[" + colour.code + "m");
                last = colour;
            }
            line.append(cells[row][column]);
        }
        return last == Colour.PLAIN ? line.toString() : line + "\u001b[0m";
    }
}
