/* SPDX-License-Identifier: Apache-2.0
 *
 * A lane of a ring as a protocol: claim, lease, epoch, follow, gate, and the use of a cell again.
 *
 * One producer pushes TOTAL messages into CELLS cells. Stage 0, a pool of two workers, sees each first;
 * stage 1, with one worker, follows it. Messages are counted from 1 and lie in cell number % CELLS. A
 * transaction is one atomic step, as it is in an engine. Between two of its transactions a worker may fall
 * asleep or die: the lease of its claim then runs out at any time. A worker that was asleep may come back
 * and report too late.
 *
 * What is checked, under the name of the mutation that breaks it:
 *   ONE     a message is handed out only when it is in no live claim                (promise 2)
 *   ORDER   new messages are handed out in the order of the lane                    (promise 4)
 *   LOW     everything below a stage's `done` is done                               (promises 3, 5, 6)
 *   FOLLOW  stage 1 gets a message only after stage 0 is done with it               (promise 5)
 *   GATE    a cell is used again only when both stages are done with what it holds  (promise 6)
 *   EPOCH   no word is taken from a worker whose claim was handed on                (promise 7)
 *   LEASE   no word is taken after the lease                                        (promise 7)
 *   LOSS    when nothing more can happen, both stages are done with every message   (promise 3)
 *
 * `check` beside this file verifies the model as it is, and then once with each BREAK_..., which changes
 * the protocol at one place: the checker has to find an error with every one of them.
 */

#ifndef TOTAL
#define TOTAL  5                        /* how many messages are pushed, at most 8 */
#endif
#ifndef CELLS
#define CELLS  2
#endif
#ifndef DEATHS
#define DEATHS 2                        /* how often a worker dies */
#endif
#ifndef SLEEPS
#define SLEEPS 3                        /* how often a lease runs out while its worker lives */
#endif
#define CLAIMS 3                        /* claims 0 and 1 are of stage 0, claim 2 is of stage 1 */
#define BIT(m) (1 << ((m) - 1))
#define ALL    (BIT(TOTAL + 1) - 1)
#define LAST(s)  (s == 0 -> 1 : 2)      /* the claims of a stage: from FIRST to LAST */
#define FIRST(s) (s == 0 -> 0 : 2)

byte head = 0;                          /* how many messages were pushed */
byte cell[CELLS];                       /* the message in a cell; 0: none yet */
byte claimed[2];                        /* how far a stage has handed out new messages */
byte done[2];                           /* how far a stage is done */
byte epoch[2];                          /* the epoch of a stage's last claim */

byte held[CLAIMS];                      /* the message that a claim is about; 0: there is no claim */
byte under[CLAIMS];                     /* its epoch */
bool live[CLAIMS];                      /* whether its lease runs */

bool orphan[CLAIMS];                    /* whether its worker died */
byte deaths;
byte sleeps;

byte owner[CLAIMS];                     /* only for the properties: the worker that got it last */
byte fresh[2];                          /* only for the properties: the last new message handed out */
byte finished[2];                       /* only for the properties: a bit for each message done */

#ifdef BREAK_GATE
#define ROOM (head - done[0] < CELLS)
#else
#define ROOM (head - done[0] < CELLS && head - done[1] < CELLS)
#endif

#ifdef BREAK_ONE
#define RAN_OUT(c) (held[c] != 0)
#elif defined(BREAK_LOSS)
#define RAN_OUT(c) false
#else
#define RAN_OUT(c) (held[c] != 0 && !live[c])
#endif

#ifdef BREAK_FOLLOW
#define IN_REACH(s) (claimed[s] < head)
#else
#define IN_REACH(s) (claimed[s] < head && (s == 0 || claimed[s] < done[0]))
#endif

#ifdef BREAK_EPOCH
#define SAME_EPOCH(c) true
#else
#define SAME_EPOCH(c) (under[c] == mine_under)
#endif

#ifdef BREAK_LEASE
#define VALID(c) (held[c] == mine && SAME_EPOCH(c))
#else
#define VALID(c) (held[c] == mine && SAME_EPOCH(c) && live[c])
#endif

/* Done is where the lowest claim begins; if there is none, where the claims end. */
inline progress(s) {
    done[s] = claimed[s];
#ifdef BREAK_LOW
    done[s] = (mine > done[s] -> done[s] : mine);
#else
    if
    :: held[FIRST(s)] != 0 && held[FIRST(s)] <= done[s] -> done[s] = held[FIRST(s)] - 1
    :: else -> skip
    fi;
    if
    :: held[LAST(s)] != 0 && held[LAST(s)] <= done[s] -> done[s] = held[LAST(s)] - 1
    :: else -> skip
    fi;
#endif
    assert((finished[s] & (BIT(done[s] + 1) - 1)) == BIT(done[s] + 1) - 1)      /* LOW */
}

inline give(c, s) {
    epoch[s]++;
    mine = held[c];
    mine_under = epoch[s];
    under[c] = epoch[s];
    live[c] = true;
    orphan[c] = false;
    owner[c] = me
}

active proctype producer() {
    do
    :: atomic {
        head < TOTAL && ROOM ->
        assert(cell[head % CELLS] == 0 ||
            (finished[0] & finished[1] & BIT(cell[head % CELLS])) != 0);        /* GATE */
        cell[head % CELLS] = head + 1;
        head++
       }
    :: head == TOTAL -> break
    od
}

/* Deaths and sleeps are bounded, to bound the states; the claim of a dead worker runs out in any case. */
#define MAY_LAPSE(c) (orphan[c] || sleeps < SLEEPS)

inline lapse(c) {
    live[c] = false;
    if
    :: orphan[c] -> skip
    :: else -> sleeps++
    fi
}

/* The database's clock: while there is a claim, its lease may run out at any time. */
active proctype clock() {
    end:
    do
    :: atomic { live[0] && MAY_LAPSE(0) -> lapse(0) }
    :: atomic { live[1] && MAY_LAPSE(1) -> lapse(1) }
    :: atomic { live[2] && MAY_LAPSE(2) -> lapse(2) }
    od
}

proctype worker(byte me; byte s; byte c) {
    byte mine;                          /* the message that it believes to have */
    byte mine_under;                    /* the epoch of its claim */
    byte which;                         /* the claim that it has */

    end:
    do
    :: atomic {
        /* Claims whose lease ran out are handed out again first. */
        RAN_OUT(FIRST(s)) ->
        assert(!live[FIRST(s)]);                                                /* ONE */
        which = FIRST(s);
        give(which, s)
       }; goto speak
    :: atomic {
        RAN_OUT(LAST(s)) ->
        assert(!live[LAST(s)]);                                                 /* ONE */
        which = LAST(s);
        give(which, s)
       }; goto speak
    :: atomic {
        /* Then new messages. */
        held[c] == 0 && !(RAN_OUT(FIRST(s)) || RAN_OUT(LAST(s))) && IN_REACH(s) ->
        which = c;
#ifdef BREAK_ORDER
        held[c] = head;
#else
        held[c] = claimed[s] + 1;
#endif
        assert(held[c] == fresh[s] + 1);                                        /* ORDER */
        assert(s == 0 || (finished[0] & BIT(held[c])) != 0);                    /* FOLLOW */
        assert(cell[(held[c] - 1) % CELLS] == held[c]);                         /* GATE */
        fresh[s] = held[c];
        claimed[s]++;
        give(c, s)
       }; goto speak
    od;

    speak:
    if
    :: atomic {
        /* Done: taken only from the worker that has the claim, while the lease runs. */
        VALID(which) ->
        assert(owner[which] == me && under[which] == mine_under);               /* EPOCH */
        assert(live[which]);                                                    /* LEASE */
        finished[s] = finished[s] | BIT(mine);
        held[which] = 0;
        live[which] = false;
        progress(s)
       }
    :: atomic { !VALID(which) -> skip }                                         /* refused */
    :: atomic {
        /* The worker dies with its claim, and another takes its place. */
        deaths < DEATHS && VALID(which) -> deaths++; orphan[which] = true
       }
    fi;
    mine = 0;
    mine_under = 0;
    which = 0;
    goto end
}

init {
    atomic {
        run worker(1, 0, 0);
        run worker(2, 0, 1);
        run worker(3, 1, 2)
    }
    timeout;
    assert(head == TOTAL && finished[0] == ALL && finished[1] == ALL)                                         /* LOSS */
}
