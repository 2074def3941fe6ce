// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

import java.util.List;
import java.util.Locale;

/** Samples as curves over time, with a panel for each measure, in SVG. */
final class SoakPlot {

    private static final int WIDTH = 720;
    private static final int PANEL = 90;
    private static final int LEFT = 60;
    private static final int GAP = 34;

    private final List<Sample> samples;

    SoakPlot(List<Sample> samples) {
        this.samples = samples;
    }

    String svg() {
        int height = Measure.values().length * (PANEL + GAP) + GAP;
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                height);
        for (Measure measure : Measure.values()) {
            panel(svg, measure, GAP + measure.ordinal() * (PANEL + GAP));
        }
        return svg.append("</svg>\n").toString();
    }

    private void panel(StringBuilder svg, Measure measure, int top) {
        double most = samples.stream().mapToDouble(s -> s.value(measure)).max().orElse(0);
        double end = samples.isEmpty() ? 1 : samples.get(samples.size() - 1).seconds();
        int right = WIDTH - 20;
        int bottom = top + PANEL;
        add(svg, "<text x=\"%d\" y=\"%d\">%s</text>%n", LEFT, top - 6, measure.label());
        add(
                svg,
                "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999\"/>%n",
                LEFT,
                top,
                bottom,
                right);
        number(svg, LEFT - 6, top + 10, "%.0f", most);
        number(svg, LEFT - 6, bottom, "%.0f", 0);
        number(svg, right, bottom + 14, "%.0f s", end);
        StringBuilder points = new StringBuilder();
        for (Sample sample : samples) {
            double x = LEFT + (right - LEFT) * sample.seconds() / Math.max(end, 1);
            double y = bottom - PANEL * sample.value(measure) / Math.max(most, 1);
            add(points, "%.1f,%.1f ", x, y);
        }
        add(
                svg,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#06c\" stroke-width=\"1.5\"/>%n",
                points.toString().strip());
    }

    private static void number(StringBuilder svg, int x, int y, String format, double value) {
        String text = String.format(Locale.ROOT, format, value);
        add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", x, y, text);
    }

    private static void add(StringBuilder to, String format, Object... values) {
        to.append(String.format(Locale.ROOT, format, values));
    }
}
