// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.DeadLetter;
import dev.slipring.Fenced;
import dev.slipring.ManualClock;
import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.Survey;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;
import dev.slipring.memory.StageOracle.Id;
import dev.slipring.memory.StageOracle.State;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random steps on one ring, each made on the store and on the oracle, which compares. */
final class RandomSteps implements Simulation.Steps {

    private static final String RING = "ring";

    private final Random random;
    private final Store store;
    private final ManualClock clock;
    private final RingOracle oracle;
    private final List<ClaimOracle> claims = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long messages;
    private int pushes;
    private int added;

    RandomSteps(Random random, Store store, ManualClock clock, RingSpec spec) {
        this.random = random;
        this.store = store;
        this.clock = clock;
        this.messages = spec.messages();
        store.change(RING, new Change.Create(spec));
        oracle = new RingOracle(spec);
        log.add(spec.lanes() + " lanes, " + spec.messages() + ": " + spec.stages());
        spec.stages().names().forEach(name -> log.add(name + " " + words(spec, name)));
    }

    private static String words(RingSpec spec, String name) {
        StageSpec stage = spec.stages().get(name);
        return stage.mode() + " tries " + stage.tries();
    }

    @Override
    public List<String> log() {
        return log;
    }

    private long now() {
        return clock.millis();
    }

    @Override
    public void step() {
        int dice = random.nextInt(100);
        if (dice < 22) {
            push();
        } else if (dice < 55) {
            claim(anyStage(), 1 + random.nextInt(6));
        } else if (dice < 84) {
            word();
        } else if (dice < 92) {
            advance(random.nextInt(4) == 0 ? 110 : random.nextInt(40));
        } else if (dice < 95) {
            dead(anyStage(), random.nextInt(3) > 0, true);
        } else {
            change();
        }
        compare();
    }

    private StageOracle anyStage() {
        return List.copyOf(oracle.stages.values()).get(random.nextInt(oracle.stages.size()));
    }

    private void advance(long millis) {
        log.add("advance " + millis);
        clock.advance(Duration.ofMillis(millis));
    }

    private void compare() {
        Survey survey = store.survey(RING, true);
        assertThat(survey.broken()).isEmpty();
        oracle.released(survey);
    }

    private void push() {
        int lanes = oracle.heads.length;
        List<Slot> slots = new ArrayList<>();
        List<List<String>> bodies = new ArrayList<>();
        pushes++;
        int count = 0;
        for (int lane = random.nextInt(lanes); lane < lanes; lane += 1 + random.nextInt(2)) {
            List<Message> batch = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (int i = random.nextInt(7); i >= 0; i--) {
                String text = pushes + "." + count++;
                texts.add(text);
                Message message = Message.of(text);
                batch.add(random.nextBoolean() ? message : message.key("k").header("h", text));
            }
            bodies.add(texts);
            slots.add(new Slot(lane, 7, pushes, batch.size(), SlotCodec.encode(batch)));
        }
        long held = store.survey(RING, false).heldMessages();
        boolean fits = held + count <= messages;
        log.add("push " + slots.stream().map(slot -> slot.lane() + ":" + slot.count()).toList());
        try {
            store.push(RING, slots);
            assertThat(fits).isTrue();
            store.push(RING, slots);
            for (int i = 0; i < slots.size(); i++) {
                oracle.pushed(slots.get(i).lane(), bodies.get(i), now());
            }
        } catch (RingFull full) {
            assertThat(fits).isFalse();
            log.add("  full");
        }
    }

    private boolean claim(StageOracle stage, int max) {
        Claimed claimed = store.claim(RING, new ClaimRequest(stage.name(), max, "w"));
        if (claimed.isEmpty()) {
            return false;
        }
        log.add(
                "claim "
                        + stage.name()
                        + " "
                        + max
                        + " at epoch "
                        + claimed.ticket().epoch() % 1_000
                        + (claimed.ticket().retry() ? " R" : "")
                        + " "
                        + claimed.deliveries().stream()
                                .map(d -> d.id() + "#" + d.attempt())
                                .toList());
        claims.add(oracle.claimed(stage, claimed, max, now()));
        return true;
    }

    private void word() {
        if (claims.isEmpty()) {
            return;
        }
        ClaimOracle claim = claims.get(random.nextInt(claims.size()));
        if (!oracle.stages.containsValue(claim.stage)) {
            claims.remove(claim);
        } else if (!claim.isLive(now())) {
            late(claim);
        } else {
            live(claim);
        }
    }

    /** A word that comes too late is refused, whatever it is. */
    private void late(ClaimOracle claim) {
        Rest rest = Rest.values()[random.nextInt(4)];
        List<Long> done = random.nextBoolean() ? List.of() : List.copyOf(claim.left.keySet());
        assertThatThrownBy(
                        () ->
                                store.settle(
                                        RING, new Settlement(claim.ticket, done, List.of(), rest)))
                .isInstanceOf(Fenced.class);
        claims.remove(claim);
    }

    private void live(ClaimOracle claim) {
        boolean ordered = claim.stage.spec.mode() == Mode.ORDERED;
        Rest rest = Rest.values()[random.nextInt(4)];
        List<Long> done = new ArrayList<>();
        List<Failed> failed = new ArrayList<>();
        int quiet = random.nextInt(3);
        for (long position : claim.left.keySet()) {
            int dice = quiet == 0 ? 9 : random.nextInt(4);
            if (dice == 0) {
                failed.add(new Failed(position, "no", random.nextInt(3) * 10L - 1));
            } else if (dice == 1) {
                done.add(position);
            }
            if (ordered && dice != 1) {
                break;
            }
        }
        say(claim, done, failed, rest);
    }

    private void say(ClaimOracle claim, List<Long> done, List<Failed> failed, Rest rest) {
        log.add(
                "settle "
                        + claim.ticket.stage()
                        + " epoch "
                        + claim.ticket.epoch() % 1_000
                        + " done "
                        + done
                        + " failed "
                        + failed.stream().map(Failed::position).toList()
                        + " "
                        + rest);
        Settlement word = new Settlement(claim.ticket, done, failed, rest);
        Settled settled = store.settle(RING, word);
        if (random.nextInt(8) == 0) {
            claim.sayAgain(store, RING, word);
        }
        long dead = 0;
        done.forEach(position -> claim.stage.done(claim.id(position)));
        done.forEach(claim.left::remove);
        for (Failed failure : failed) {
            boolean last = claim.left.remove(failure.position()) >= claim.stage.spec.tries();
            claim.stage.put(claim.id(failure.position()), last ? State.DEAD : State.ASIDE);
            dead += last ? 1 : 0;
        }
        boolean ends =
                claim.stage.spec.mode() == Mode.ORDERED
                        && !failed.isEmpty()
                        && !claim.ticket.retry();
        rest(claim, ends ? Rest.GIVE_BACK : rest);
        assertThat(settled.dead()).isEqualTo((int) dead);
        assertThat(settled.left()).isEqualTo(claim.left.size());
    }

    private void rest(ClaimOracle claim, Rest rest) {
        switch (rest) {
            case DONE -> claim.left.keySet().forEach(at -> claim.stage.done(claim.id(at)));
            case GIVE_BACK ->
                    claim.left
                            .keySet()
                            .forEach(
                                    at ->
                                            claim.stage.put(
                                                    claim.id(at),
                                                    claim.ticket.retry() ? State.ASIDE : null));
            case EXTEND -> claim.expires = now() + claim.stage.spec.lease().toMillis();
            case KEEP -> {}
        }
        if (rest == Rest.DONE || rest == Rest.GIVE_BACK) {
            claim.left.clear();
            claim.fenced = true;
        }
    }

    /** Retries or drops dead letters, some or all. */
    private void dead(StageOracle stage, boolean retry, boolean some) {
        List<String> ids = new ArrayList<>();
        List<Id> chosen = new ArrayList<>();
        for (DeadLetter letter : store.deadLetters(RING, stage.name(), null, 1_000)) {
            Id id = new Id(letter.delivery().lane(), letter.delivery().position());
            ClaimOracle hand = stage.hands.get(id);
            assertThat(hand == null || !hand.isLive(now())).isTrue();
            stage.put(id, State.DEAD);
            if (!some || random.nextBoolean()) {
                ids.add(letter.delivery().id());
                chosen.add(id);
            }
        }
        if (!ids.isEmpty()) {
            log.add("dead " + stage.name() + " retry " + retry + " " + ids);
            long touched =
                    store.change(
                            RING,
                            retry
                                    ? new Change.RetryDead(stage.name(), ids)
                                    : new Change.DropDead(stage.name(), ids));
            assertThat(touched).isEqualTo(ids.size());
            for (Id id : chosen) {
                if (retry) {
                    stage.put(id, State.ASIDE);
                } else {
                    oracle.dropped(stage, id);
                }
            }
        }
    }

    private void change() {
        StageOracle stage = anyStage();
        switch (random.nextInt(8)) {
            case 0, 1 -> pause(stage.name(), random.nextInt(3) == 0);
            case 2, 3 -> rewind(stage);
            case 4 -> remove(stage);
            case 5, 6 -> add();
            default -> {
                messages = 5 + random.nextInt(40);
                store.change(RING, new Change.Resize(messages, 1 << 20));
            }
        }
    }

    private void pause(String stage, boolean paused) {
        log.add("pause " + stage + " " + paused);
        store.change(RING, new Change.Pause(stage, paused));
    }

    private Start start() {
        return random.nextBoolean()
                ? Start.OLDEST
                : Start.at(Instant.ofEpochMilli(now() - random.nextInt(200)));
    }

    private long[] positions(Start start) {
        return switch (start.at()) {
            case OLDEST -> oracle.since(Long.MIN_VALUE);
            case NEWEST -> oracle.heads.clone();
            case TIME -> oracle.since(start.time().toEpochMilli());
        };
    }

    private void rewind(StageOracle stage) {
        Start start = start();
        long[] positions = positions(start);
        log.add("rewind " + stage.name() + " " + Arrays.toString(positions));
        store.change(RING, new Change.Rewind(stage.name(), start));
        oracle.rewound(stage, positions);
    }

    private void remove(StageOracle stage) {
        if (oracle.stages.size() > 1) {
            log.add("remove " + stage.name());
            store.change(RING, new Change.RemoveStage(stage.name()));
            oracle.removed(stage.name());
        }
    }

    private void add() {
        if (oracle.stages.size() < 6) {
            StageSpec spec = Shapes.stage(random, "x" + added++);
            TreeSet<String> after = new TreeSet<>();
            oracle.stages.keySet().stream()
                    .filter(name -> random.nextInt(3) == 0)
                    .forEach(after::add);
            Start start = random.nextInt(3) == 0 ? Start.NEWEST : start();
            long[] positions = positions(start);
            log.add(
                    "add "
                            + spec.name()
                            + " "
                            + spec.mode()
                            + " after "
                            + after
                            + " at "
                            + Arrays.toString(positions));
            store.change(RING, new Change.AddStage(spec, after, start));
            oracle.added(spec, oracle.graph.with(spec, after), positions);
        }
    }

    /** Does everything there is to do, and compares the result. */
    @Override
    public void finish() {
        oracle.stages.keySet().forEach(name -> pause(name, false));
        boolean more = true;
        for (int round = 0; more; round++) {
            assertThat(round).isLessThan(200);
            advance(110);
            more = false;
            for (StageOracle stage : oracle.stages.values()) {
                dead(stage, true, false);
                more |= !stage.claims.isEmpty() && stage.claims.removeIf(c -> !c.isLive(now()));
                while (claim(stage, 50)) {
                    more = true;
                    say(claims.get(claims.size() - 1), List.of(), List.of(), Rest.DONE);
                }
            }
        }
        oracle.checkAllDone();
        Survey survey = store.survey(RING, true);
        assertThat(survey.broken()).isEmpty();
        assertThat(survey.heldMessages()).isZero();
        assertThat(survey.heldBytes()).isZero();
        for (Survey.StageSurvey stage : survey.stages()) {
            assertThat(stage.aside() + stage.dead() + stage.lag()).as(stage.name()).isZero();
        }
    }
}
