// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes deliveries as text, in runs: neighbours in a lane that one producer pushed one after the
 * other.
 */
public final class Runs {

    private Runs() {}

    /**
     * Runs of position, count, producer, number and attempt. A body that was not pushed so is
     * written as odd.
     */
    public static String of(List<Delivery> deliveries) {
        StringBuilder text = new StringBuilder();
        long position = 0;
        int attempt = 0;
        Body body = null;
        int count = 0;
        for (Delivery delivery : deliveries) {
            Body now = Body.read(delivery);
            if (now == null) {
                throw new IllegalStateException(
                        "message "
                                + delivery.id()
                                + " came with another body, key or header than was pushed");
            }
            boolean goesOn =
                    count > 0
                            && delivery.position() == position + count
                            && delivery.attempt() == attempt
                            && now.producer() == body.producer()
                            && now.number() == body.number() + count;
            if (!goesOn) {
                end(text, position, count, body, attempt);
                position = delivery.position();
                attempt = delivery.attempt();
                body = now;
                count = 0;
            }
            count++;
        }
        end(text, position, count, body, attempt);
        return text.toString();
    }

    /** Positions in a row as {@code position+count}. */
    static List<String> stretches(List<Long> positions) {
        List<String> stretches = new ArrayList<>();
        for (int i = 0, n = 1; i < positions.size(); i += n, n = 1) {
            while (i + n < positions.size() && positions.get(i + n) == positions.get(i) + n) {
                n++;
            }
            stretches.add(positions.get(i) + "+" + n);
        }
        return stretches;
    }

    private static void end(StringBuilder text, long position, int count, Body body, int attempt) {
        if (count > 0) {
            text.append(text.length() == 0 ? "" : ";")
                    .append(position)
                    .append(',')
                    .append(count)
                    .append(',')
                    .append(body.producer())
                    .append(',')
                    .append(body.number())
                    .append(',')
                    .append(attempt);
        }
    }
}
