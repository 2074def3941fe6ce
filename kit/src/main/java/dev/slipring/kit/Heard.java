// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Listener;
import dev.slipring.Ring;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What a listener hears, and when. */
public interface Heard extends Promise {

    /**
     * A word is heard before the claim that came with it, and the time that it took is the store's,
     * however long the listener thinks.
     */
    @Test
    default void aWordIsHeardBeforeTheClaimThatCameWithIt() {
        Duration thought = Duration.ofSeconds(2);
        List<String> heard = new ArrayList<>();
        List<Duration> times = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void claimed(String ring, String at, int count, int again, Duration it) {
                        heard.add("claimed " + count);
                        times.add(it);
                        if (count > 1) {
                            LockSupport.parkNanos(thought.toNanos());
                        }
                    }

                    @Override
                    public void settled(
                            String ring, String at, int done, int failed, int dead, Duration it) {
                        heard.add("done " + done);
                        times.add(it);
                    }
                };
        Ring ring = heardBy(listener).ring(ring("heard").name());
        push(ring, 3);
        Claim first = claim(ring.stage(), 1);
        assertThat(first.doneAndNext(2, Duration.ZERO).deliveries()).hasSize(2);
        assertThat(heard).containsExactly("claimed 1", "done 1", "claimed 2");
        assertThat(times).allSatisfy(it -> assertThat(it).isLessThan(thought));
    }
}
