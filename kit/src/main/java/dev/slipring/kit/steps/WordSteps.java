// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Fenced;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.graph.Mode;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.kit.steps.StageOracle.Id;
import dev.slipring.kit.steps.StageOracle.State;

import java.util.ArrayList;
import java.util.List;

/** Words on claims: alone, with the next claim, or in a caller's transaction; in time, or late. */
final class WordSteps {

    private final Scene scene;
    private final ClaimSteps claims;

    WordSteps(Scene scene, ClaimSteps claims) {
        this.scene = scene;
        this.claims = claims;
    }

    /** Says something about some claim. */
    void word() {
        if (scene.claims.isEmpty()) {
            return;
        }
        ClaimOracle claim = scene.claims.get(scene.random.nextInt(scene.claims.size()));
        if (claim.isLive(scene.now())) {
            live(claim);
        } else {
            late(claim);
        }
    }

    /** A word that comes too late is refused, whatever it is, and whether its stage is there. */
    private void late(ClaimOracle claim) {
        String stage = claim.ticket.stage();
        Rest rest = Rest.values()[scene.random.nextInt(4)];
        List<Long> done = scene.random.nextBoolean() ? List.of() : List.copyOf(claim.left.keySet());
        Settlement word = new Settlement(claim.ticket, done, List.of(), rest);
        boolean isThere = scene.oracle.stages.containsKey(stage);
        scene.log("late word of " + stage + " epoch " + claim.ticket.epoch() % 1_000);
        assertThatThrownBy(() -> refused(word))
                .isInstanceOf(isThere ? Fenced.class : NoSuchStage.class);
        scene.claims.remove(claim);
    }

    private void refused(Settlement word) {
        if (scene.joins()) {
            scene.log("  in a transaction");
            scene.joined(true, joined -> joined.settle(scene.ring, word));
        } else if (scene.random.nextInt(4) == 0) {
            scene.log("  with a claim");
            scene.store().claim(scene.ring, new ClaimRequest(word.ticket().stage(), 3, "w", word));
        } else {
            scene.store().settle(scene.ring, word);
        }
    }

    private void live(ClaimOracle claim) {
        boolean ordered = claim.stage.spec.mode() == Mode.ORDERED;
        Rest rest = Rest.values()[scene.random.nextInt(4)];
        List<Long> done = new ArrayList<>();
        List<Failed> failed = new ArrayList<>();
        int quiet = scene.random.nextInt(3);
        // Often a worker is done with all up to somewhere.
        int upTo = Math.max(0, scene.random.nextInt(2 * claim.left.size() + 1) - claim.left.size());
        for (long position : claim.left.keySet()) {
            int dice = upTo-- > 0 ? 1 : quiet == 0 ? 9 : scene.random.nextInt(4);
            if (dice == 0) {
                failed.add(new Failed(position, "no", scene.random.nextInt(3) * 10L - 1));
            } else if (dice == 1) {
                done.add(position);
            }
            if (ordered && dice != 1) {
                break;
            }
        }
        Settlement word = new Settlement(claim.ticket, done, failed, rest);
        if (scene.joins()) {
            sayJoined(claim, word);
        } else if (scene.random.nextInt(5) == 0) {
            sayAndClaim(claim, word);
        } else {
            say(claim, word);
        }
    }

    /** Says that all of a claim is done. */
    void done(ClaimOracle claim) {
        say(claim, new Settlement(claim.ticket, List.of(), List.of(), Rest.DONE));
    }

    /** Says the same with the next claim; returns that, null if it is empty. */
    ClaimOracle doneAndClaim(ClaimOracle claim) {
        return sayAndClaim(claim, new Settlement(claim.ticket, List.of(), List.of(), Rest.DONE));
    }

    private void say(ClaimOracle claim, Settlement word) {
        log(word);
        Settled settled = scene.store().settle(scene.ring, word);
        if (scene.random.nextInt(8) == 0) {
            scene.log("  and again");
            claim.sayAgain(scene.store(), scene.ring, word);
        }
        said(claim, word, settled);
    }

    private void sayJoined(ClaimOracle claim, Settlement word) {
        boolean commits = scene.random.nextInt(3) > 0;
        log(word);
        scene.log("  in a transaction, commits " + commits);
        Settled settled = scene.joined(commits, joined -> joined.settle(scene.ring, word));
        if (commits) {
            said(claim, word, settled);
        }
    }

    private ClaimOracle sayAndClaim(ClaimOracle claim, Settlement word) {
        log(word);
        int max = 1 + scene.random.nextInt(6);
        StageOracle stage = claim.stage;
        Store store = scene.store();
        Claimed next = store.claim(scene.ring, new ClaimRequest(stage.name(), max, "w", word));
        said(claim, word, next.before());
        scene.log("  with a claim");
        return claims.claimed(store, stage, next, max);
    }

    private void log(Settlement word) {
        scene.log(
                "settle "
                        + word.ticket().stage()
                        + " epoch "
                        + word.ticket().epoch() % 1_000
                        + " done "
                        + word.done()
                        + " failed "
                        + word.failed().stream().map(Failed::position).toList()
                        + " "
                        + word.rest());
    }

    /** Notes a word that was taken. */
    private void said(ClaimOracle claim, Settlement word, Settled settled) {
        long dead = 0;
        word.done().forEach(position -> claim.stage.done(claim.id(position)));
        word.done().forEach(claim.left::remove);
        claim.stage.failed += word.failed().size();
        for (Failed failure : word.failed()) {
            boolean last = claim.left.remove(failure.position()) >= claim.stage.spec.tries();
            Id id = claim.id(failure.position());
            if (last) {
                claim.stage.put(id, State.DEAD);
                dead++;
            } else {
                // The back-off of these stages is nothing.
                long wait = Math.max(0, failure.retryMillis());
                claim.stage.waits(id, State.ASIDE, scene.now() + wait);
            }
        }
        boolean ends =
                claim.stage.spec.mode() == Mode.ORDERED
                        && !word.failed().isEmpty()
                        && !claim.ticket.retry();
        rest(claim, ends ? Rest.GIVE_BACK : word.rest());
        assertThat(settled.dead()).isEqualTo((int) dead);
        assertThat(settled.left()).isEqualTo(claim.left.size());
    }

    private void rest(ClaimOracle claim, Rest rest) {
        State back = claim.ticket.retry() ? State.ASIDE : null;
        switch (rest) {
            case DONE -> claim.left.keySet().forEach(at -> claim.stage.done(claim.id(at)));
            case GIVE_BACK ->
                    claim.left
                            .keySet()
                            .forEach(at -> claim.stage.waits(claim.id(at), back, scene.now()));
            case EXTEND -> claim.expires = scene.now() + claim.stage.spec.lease().toMillis();
            case KEEP -> {}
        }
        if (rest == Rest.DONE || rest == Rest.GIVE_BACK) {
            claim.left.clear();
            claim.fenced = true;
        }
    }
}
