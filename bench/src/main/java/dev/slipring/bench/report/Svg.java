// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * Draws a plot, small and with its text as text.
 *
 * <pre>
 *     title                    # slipring  # naive
 *      100k |------------------------------------
 *       10k |--------------------------#---------
 *        1k |-----------#--------------#-#-------
 *       100 +---#-#-----#-#------------#-#-------
 *             batch 1  batch 10      batch 100
 * </pre>
 *
 * The axis is logarithmic, since rates differ a thousandfold. If the number of threads varies, each
 * system has a line instead of bars.
 */
final class Svg {

    private static final int LEAST_WIDTH = 800;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 70;
    private static final int BOTTOM = 40;
    private static final double GROUP_SHARE = 0.8;

    /** A bar with its label, and a letter. */
    private static final int BAR = 40;

    private static final int LETTER = 7;
    private static final int SPACE = 40;
    private static final List<String> COLOURS =
            List.of(
                    "#1f6fb2", "#a0a0a0", "#7fb8e6", "#e08a2e", "#5a9e5a", "#8a5fa8", "#c0504d",
                    "#555555", "#2a9d8f", "#c9a227", "#111111", "#9c6b4f");

    private final Plot plot;
    private final int width;
    private final int lowest;
    private final int highest;
    private final StringBuilder out = new StringBuilder();

    private Svg(Plot plot) {
        this.plot = plot;
        width = width(plot);
        double least = plot.values().stream().mapToDouble(value -> value).min().orElse(1);
        double most = plot.values().stream().mapToDouble(value -> value).max().orElse(1);
        // So that the smallest bar can be seen, and the label of the largest one fits.
        lowest = (int) Math.floor(Math.log10(least / 1.5));
        highest = (int) Math.ceil(Math.log10(most * 1.2));
    }

    /** Wide enough for the bars, or the names of the settings, and for the legend. */
    private static int width(Plot plot) {
        int setting = plot.settings().stream().mapToInt(String::length).max().orElse(0);
        int bars = plot.isOverThreads() ? 0 : plot.systems().size() * BAR;
        int group = Math.max(bars, setting * LETTER + SPACE / 2);
        int legend = plot.systems().stream().mapToInt(name -> SPACE + LETTER * name.length()).sum();
        int content = Math.max(group * plot.settings().size(), legend);
        return Math.max(LEAST_WIDTH, LEFT + content + RIGHT);
    }

    static String of(Plot plot) {
        return new Svg(plot).draw();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n",
                width, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", width, HEIGHT);
        text(LEFT, 24, "start", "16", plot.title() + ", " + plot.unit().words());
        legend();
        for (int power = lowest; power <= highest; power++) {
            double y = y(Math.pow(10, power));
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                    LEFT, width - RIGHT, y, y);
            text(LEFT - 8, y + 4, "end", "12", label(Math.pow(10, power)));
        }
        for (int group = 0; group < plot.settings().size(); group++) {
            group(group);
        }
        if (plot.isOverThreads()) {
            for (int system = 0; system < plot.systems().size(); system++) {
                line(system);
            }
        }
        add("</svg>%n");
        return out.toString();
    }

    private void legend() {
        int x = LEFT;
        for (int system = 0; system < plot.systems().size(); system++) {
            String name = plot.systems().get(system);
            add(
                    "<rect x=\"%d\" y=\"38\" width=\"12\" height=\"12\" fill=\"%s\"/>%n",
                    x, colour(system));
            text(x + 18, 48, "start", "12", name);
            x += SPACE + LETTER * name.length();
        }
    }

    private void group(int group) {
        double each = (double) (width - LEFT - RIGHT) / plot.settings().size();
        double start = LEFT + group * each;
        String setting = plot.settings().get(group);
        text(start + each / 2, HEIGHT - BOTTOM + 20, "middle", "12", setting);
        if (plot.isOverThreads()) {
            return;
        }
        double bar = each * GROUP_SHARE / plot.systems().size();
        for (int system = 0; system < plot.systems().size(); system++) {
            Double value = plot.value(plot.systems().get(system), setting);
            if (value != null) {
                double x = start + each * (1 - GROUP_SHARE) / 2 + system * bar;
                add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
                                + " fill=\"%s\"/>%n",
                        x, y(value), bar - 2, HEIGHT - BOTTOM - y(value), colour(system));
                text(x + bar / 2 - 1, y(value) - 4, "middle", "11", label(value));
            }
        }
    }

    private void line(int system) {
        double each = (double) (width - LEFT - RIGHT) / plot.settings().size();
        StringBuilder points = new StringBuilder();
        for (int group = 0; group < plot.settings().size(); group++) {
            Double value = plot.value(plot.systems().get(system), plot.settings().get(group));
            if (value != null) {
                double x = LEFT + (group + 0.5) * each;
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(value)));
                add(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n",
                        x, y(value), colour(system));
            }
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                points.toString().strip(), colour(system));
    }

    private double y(double value) {
        double share = (Math.log10(value) - lowest) / (highest - lowest);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private static String colour(int system) {
        return COLOURS.get(system % COLOURS.size());
    }

    private static String label(double value) {
        if (value >= 999_500) {
            return short3(value / 1e6) + "M";
        }
        return value >= 999.5 ? short3(value / 1e3) + "k" : short3(value);
    }

    /** A number with three digits, without zeros at the end of its fraction. */
    private static String short3(double value) {
        String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
        String digits = String.format(Locale.ROOT, format, value);
        return digits.contains(".") ? digits.replaceAll("\\.?0+$", "") : digits;
    }

    private void text(double x, double y, String anchor, String size, String words) {
        String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%s\">%s</text>%n",
                x, y, anchor, size, escaped);
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
