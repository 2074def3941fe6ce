// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A claim lets threads go first that are about to push, and waits for no others. */
class PushersTest {

    private static final long SOON = Pushers.SOON_NANOS;

    private final AtomicLong now = new AtomicLong(5);
    private final Pushers pushers = new Pushers(now::get);
    private long commits;

    @Test
    void nobodyIsWaitedForBeforeOneCameBackAtOnce() throws Exception {
        assertThat(pushers.areDue()).isFalse();
        push();
        assertThat(pushers.areDue()).as("the first may be the only one").isFalse();
        now.addAndGet(SOON);
        push();
        assertThat(pushers.areDue()).as("the second came late").isFalse();
        now.addAndGet(SOON - 1);
        push();
        assertThat(pushers.areDue()).as("the third came at once").isTrue();
    }

    @Test
    void onlyForAMoment() throws Exception {
        pushTwice();
        now.addAndGet(SOON - 1);
        assertThat(pushers.areDue()).isTrue();
        now.addAndGet(1);
        assertThat(pushers.areDue()).isFalse();
    }

    @Test
    void notWhileTheyWaitForTheDisk() throws Exception {
        pushTwice();
        elsewhere(pushers::come);
        assertThat(pushers.areDue()).as("one is here").isFalse();
        pushers.committed(++commits);
        elsewhere(pushers::go);
        assertThat(pushers.areDue()).as("it waits for the disk").isFalse();
        now.addAndGet(10 * SOON);
        pushers.synced(commits - 1);
        assertThat(pushers.areDue()).as("a sync that began before").isFalse();
        pushers.synced(commits);
        assertThat(pushers.areDue()).as("it was told").isTrue();
        now.addAndGet(SOON);
        pushers.synced(commits);
        assertThat(pushers.areDue()).as("a sync that tells them nothing").isFalse();
    }

    @Test
    void nobodyWaitsForHimself() {
        for (int i = 0; i < 2; i++) {
            pushers.come();
            pushers.committed(++commits);
            pushers.go();
            pushers.synced(commits);
        }
        assertThat(pushers.areDue()).isFalse();
    }

    @Test
    void aWaitEndsWhenTheyComeOrOthersAreInFront() throws Exception {
        pushTwice();
        AtomicInteger asked = new AtomicInteger();
        pushers.letPass(() -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
        Thread waiting = new Thread(() -> pushers.letPass(() -> false));
        waiting.start();
        waiting.join(50);
        assertThat(waiting.isAlive()).isTrue();
        elsewhere(pushers::come);
        waiting.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(waiting.isAlive()).isFalse();
    }

    private void pushTwice() throws InterruptedException {
        push();
        push();
    }

    private void push() throws InterruptedException {
        elsewhere(pushers::come);
        pushers.committed(++commits);
        elsewhere(pushers::go);
        pushers.synced(commits);
    }

    private static void elsewhere(Runnable what) throws InterruptedException {
        Thread thread = new Thread(what);
        thread.start();
        thread.join();
    }
}
