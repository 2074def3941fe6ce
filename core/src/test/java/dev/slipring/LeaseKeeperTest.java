// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Who extends leases, in front of a store that tells what it is asked, by the claim's lane. */
class LeaseKeeperTest {

    private static final int BREAKS = 7;
    private static final Watcher WATCHER = new Watcher("ring", Listener.NONE);

    private final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
    private volatile int spokenOf = -1;
    private volatile Runnable whoAsks = () -> {};
    private final LeaseKeeper keeper = new LeaseKeeper("keeper", 900, WATCHER);

    @AfterEach
    void close() {
        keeper.close();
    }

    private Claim claim(int lane) {
        Store store =
                (Store)
                        Proxy.newProxyInstance(
                                Store.class.getClassLoader(),
                                new Class<?>[] {Store.class},
                                (proxy, method, args) -> answer((Settlement) args[1]));
        Delivery delivery = new Delivery(Message.of("x"), lane, 0, 1, Instant.EPOCH);
        Ticket ticket = new Ticket("main", lane, 1, false);
        Claimed claimed = Claimed.of(ticket, Mode.POOL, List.of(delivery), 900);
        return new Claim(null, "ring", store, null, WATCHER, claimed);
    }

    private Optional<Settled> answer(Settlement word) {
        int lane = word.ticket().lane();
        whoAsks.run();
        asked.add(lane);
        if (lane == BREAKS) {
            throw new StackOverflowError("by plan");
        }
        return lane == spokenOf ? Optional.empty() : Optional.of(new Settled(1, 0));
    }

    private int nextAsked() throws InterruptedException {
        Integer lane = asked.poll(30, TimeUnit.SECONDS);
        assertThat(lane).as("the store was asked").isNotNull();
        return lane;
    }

    /** Whose stage was given a shorter lease than his keeper began with. */
    @Test
    void aClaimOfAShorterLeaseIsExtendedInItsTime() throws Exception {
        try (LeaseKeeper ofADay = new LeaseKeeper("a-day", TimeUnit.DAYS.toMillis(1), WATCHER)) {
            ofADay.keep(claim(3));
            assertThat(nextAsked()).isEqualTo(3);
            assertThat(nextAsked()).isEqualTo(3);
        }
    }

    /** What a transaction speaks of is tried again and again before others come to their turn. */
    @Test
    void aClaimThatIsSpokenOfIsTriedBetweenTheTimes() throws Exception {
        spokenOf = 0;
        keeper.keep(claim(0));
        keeper.keep(claim(1));
        int tries = 0;
        for (int i = 0; i < 100 && tries < 5; i++) {
            tries = nextAsked() == 0 ? tries + 1 : 0;
        }
        assertThat(tries).as("tries in a row").isEqualTo(5);
    }

    /** Whatever one extension meets, the others go on. */
    @Test
    void anErrorEndsNoLeases() throws Exception {
        keeper.keep(claim(BREAKS));
        while (nextAsked() != BREAKS) {
            // It has not been asked for yet.
        }
        keeper.keep(claim(1));
        while (nextAsked() != 1) {
            // The other's turn comes.
        }
    }

    /** One after the other they would run out, where each takes a while and there are many. */
    @Test
    void manyLeasesOfAStoreThatIsFarAwayAreExtendedSideBySide() throws Exception {
        CountDownLatch two = new CountDownLatch(1);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        whoAsks =
                () -> {
                    if (most.accumulateAndGet(atOnce.incrementAndGet(), Math::max) > 1) {
                        two.countDown();
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                    atOnce.decrementAndGet();
                };
        IntStream.range(100, 300).forEach(lane -> keeper.keep(claim(lane)));
        assertThat(two.await(30, TimeUnit.SECONDS)).as("two are extended at a time").isTrue();
        Set<Integer> extended = new HashSet<>();
        while (extended.size() < 200) {
            extended.add(nextAsked());
        }
        assertThat(most.get()).as("half of the connections are left to others").isLessThan(9);
    }

    /** It would sleep for a third of a lease first, which may be hours. */
    @Test
    void itsThreadEndsWithIt() throws Exception {
        LeaseKeeper ofADay = new LeaseKeeper("ends", TimeUnit.DAYS.toMillis(1), WATCHER);
        Thread own =
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("ends"))
                        .findAny()
                        .orElseThrow();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (own.getState() != Thread.State.TIMED_WAITING) {
            assertThat(System.nanoTime()).as("it sleeps").isLessThan(deadline);
            Thread.onSpinWait();
        }
        ofADay.close();
        own.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(own.isAlive()).isFalse();
    }

    /** A pause of a thread that is interrupted is none, and it would pause no more. */
    @Test
    void anInterruptThatAListenerLeavesIsForgotten() throws Exception {
        Thread[] own = {null};
        whoAsks = () -> own[0] = Thread.currentThread();
        keeper.keep(claim(1));
        nextAsked();
        whoAsks = () -> Thread.currentThread().interrupt();
        asked.clear();
        nextAsked();
        whoAsks = () -> {};
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (own[0].isInterrupted()) {
            assertThat(System.nanoTime()).as("it is forgotten").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** A word of this process that is on its way, however long, keeps no other claim waiting. */
    @Test
    void aClaimThatIsBeingSpokenOfHereKeepsNoOtherWaiting() throws Exception {
        Claim mute = claim(0);
        keeper.keep(mute);
        keeper.keep(claim(1));
        mute.locked(
                () -> {
                    try {
                        asked.clear();
                        assertThat(List.of(nextAsked(), nextAsked(), nextAsked())).containsOnly(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        while (nextAsked() != 0) {
            // Its turn comes as soon as nobody speaks.
        }
    }
}
