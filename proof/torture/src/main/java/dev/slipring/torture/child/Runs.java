// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Delivery;

import java.util.List;

/**
 * Writes deliveries as text, in runs: neighbours in a lane that one producer pushed one after the
 * other.
 */
final class Runs {

    private Runs() {}

    /**
     * Runs of position, count, producer, number and attempt. A body that was not pushed so is
     * written as odd.
     */
    static String of(List<Delivery> deliveries) {
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
