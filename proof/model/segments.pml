/* SPDX-License-Identifier: Apache-2.0
 *
 * How PostgreSQL's segments are filled, read, emptied and used again.
 *
 * Two pushers write PUSHES slots of one message each to a lane, into the segment whose turn it was when
 * they looked. Two stages read them, segment by segment, and are done with them later. A tidier, of which
 * only one works at a time, lets the next segment begin, and empties those that both stages are done with:
 * it looks, takes the lock if it is free, looks again, and TRUNCATEs. An atomic step is a statement; each
 * statement sees what is committed when it begins. Messages are counted by their positions, from 1.
 *
 * What is checked, under the name of the mutation that breaks it:
 *   LANE    the slots of a lane have the order of their commits                      (promise 4)
 *   END     no position is given twice, even if the last slots left the ring
 *           before older ones                                                        (promises 1, 3)
 *   TWO     a stage passes by no committed message, although it looks at one
 *           segment after the other                                                  (promise 3)
 *   FAST    only what both stages are done with is emptied                           (promise 6)
 *   AGAIN   that holds even if something came after the tidier's first look          (promise 6)
 *   LOCK    no segment is emptied while a pusher writes to it                        (promise 1)
 *   REST    when nothing more can happen, both stages are done with every message    (promise 3)
 *
 * `check` beside this file verifies the model as it is, and then once with each BREAK_...
 */

#ifndef PUSHES
#define PUSHES 3                        /* how many pushes are committed */
#endif
#ifndef TURNS
#define TURNS 3                         /* how often the next segment begins */
#endif
#ifndef BACK
#define BACK 1                          /* how many pushes are rolled back; with PUSHES at most 8 */
#endif
#define SEGMENTS 3
#define NOBODY 2
#define BIT(m)   (1 << ((m) - 1))
#define BELOW(m) (BIT(m) - 1)
#define SEGMENT(t) ((t) % SEGMENTS)

byte turn = SEGMENTS;                   /* a sequence: all see its current value */
byte head = 0;                          /* likewise: how far the lane goes, or was meant to */
byte rows[SEGMENTS];                    /* the slots of a segment that are committed, a bit for each */
byte users[SEGMENTS];                   /* transactions that have read it, or written to it */
bool emptying[SEGMENTS];                /* whether it is locked against all of them */
byte writes[2];                         /* the slot that a pusher has inserted; 0: none */
byte into[2];                           /* and the segment of that slot */
byte lane_of = NOBODY;                  /* the pusher that has the lane's lock */

byte claimed[2];                        /* how far a stage has handed out messages */
byte done[2];                           /* how far a stage is done */

byte pushes;
byte backs;
byte pushed;                            /* only for the properties: a bit for each slot committed */
byte got[2];                            /* only for the properties: a bit for each handed out */

#define ALL_ROWS (rows[0] | rows[1] | rows[2])

#ifdef BREAK_LANE
#define LANE_IS_FREE true
#else
#define LANE_IS_FREE (lane_of == NOBODY)
#endif

#ifdef BREAK_FAST
#define GATE (done[0] > done[1] -> done[0] : done[1])
#else
#define GATE (done[0] < done[1] -> done[0] : done[1])
#endif
#define IS_DONE_WITH(s) ((rows[s] >> GATE) == 0)
#define IS_USED_UP(s) (rows[s] != 0 && IS_DONE_WITH(s))

#ifdef BREAK_REST
#define HAS_NEWS(s) ((pushed >> claimed[s]) > 1)
#else
#define HAS_NEWS(s) ((pushed >> claimed[s]) != 0)
#endif

/* The highest bit of a set, and the lowest one beyond a position; 0 if there is none. */
inline highest(set, found) {
    found = 8;
    do
    :: found > 0 && (set & BIT(found)) == 0 -> found--
    :: else -> break
    od
}

inline lowest(set, beyond, found) {
    found = beyond + 1;
    do
    :: found <= 8 && (set & BIT(found)) == 0 -> found++
    :: else -> break
    od;
    found = (found > 8 -> 0 : found)
}

/* Where the lane ends: behind its last slot or where its stages are, whichever is further. */
inline find_end(found) {
    highest(ALL_ROWS, found);
    if
#ifdef BREAK_END
    :: found != 0 -> skip
#endif
    :: else ->
        found = (claimed[0] > found -> claimed[0] : found);
        found = (claimed[1] > found -> claimed[1] : found)
    fi
}

proctype pusher(byte me) {
    byte segment;
    byte position;

    end:
    do
    :: atomic { pushes < PUSHES && LANE_IS_FREE -> lane_of = me; pushes++; head++ };
        segment = SEGMENT(turn);
        /* The pusher waits while the segment is being emptied. */
        atomic {
            !emptying[segment] ->
            if
            :: find_end(position); position++; head = position
            :: position = head          /* its snapshot may be older than others' pushes */
            fi;
            users[segment]++;
            writes[me] = position;
            into[me] = segment
        };
        atomic {
            if
            :: true ->
                assert((pushed & BIT(position)) == 0);                          /* END */
                assert(pushed < BIT(position));                                 /* LANE */
                rows[segment] = rows[segment] | BIT(position);
                pushed = pushed | BIT(position)
            :: backs < BACK -> backs++; pushes--
            fi;
            users[segment]--;
            writes[me] = 0;
            lane_of = NOBODY;
            segment = 0;
            position = 0
        }
    od
}

/* A claim is one transaction: segments that it has read cannot be emptied before it ends. */
proctype stage(byte s) {
    byte at;
    byte found;
    byte looked;                        /* a bit for each segment that this claim has looked at */

    end:
    do
    :: atomic { HAS_NEWS(s) -> at = turn - (SEGMENTS - 1); found = 0; looked = 0 };
        do
        :: atomic {
            found == 0 && at <= turn && !emptying[SEGMENT(at)] ->
            users[SEGMENT(at)]++;
            looked = looked | BIT(SEGMENT(at) + 1);
            lowest(rows[SEGMENT(at)], claimed[s], found);
            at++
           }
        :: atomic { found != 0 || at > turn -> break }
        od;
        atomic {
            if
#ifndef BREAK_TWO
            :: found > claimed[s] + 1 ->
                /* A hole: its slot may have come after the look. So it looks at all segments at once. */
                lowest(ALL_ROWS, claimed[s], found)
#endif
            :: else -> skip
            fi;
            if
            :: found != 0 ->
                assert((pushed & BELOW(found) & ~got[s]) == 0);                 /* TWO */
                got[s] = got[s] | BIT(found);
                claimed[s] = found
            :: else -> skip                             /* it came after the look at its segment */
            fi;
            users[0] = users[0] - (looked & 1);
            users[1] = users[1] - ((looked >> 1) & 1);
            users[2] = users[2] - ((looked >> 2) & 1);
            at = 0;
            looked = 0;
            found = 0
        }
    :: atomic { done[s] < claimed[s] -> done[s] = claimed[s] }
    od
}

proctype tidier() {
    byte old;

    end:
    do
    :: atomic {
        turn < SEGMENTS + TURNS && rows[SEGMENT(turn + 1)] == 0 &&
            users[SEGMENT(turn + 1)] == 0 && !emptying[SEGMENT(turn + 1)] -> turn++
       }
    :: atomic { IS_USED_UP(SEGMENT(turn + 1)) -> old = SEGMENT(turn + 1) }; goto use_again
    :: atomic { IS_USED_UP(SEGMENT(turn + 2)) -> old = SEGMENT(turn + 2) }; goto use_again
    od;

    use_again:
    atomic {
        if
#ifdef BREAK_LOCK
        :: true -> emptying[old] = true
#else
        :: users[old] == 0 -> emptying[old] = true
        :: users[old] != 0 -> old = 0; goto end
#endif
        fi
    };
    atomic {
        if
#ifndef BREAK_AGAIN
        :: !IS_DONE_WITH(old) -> skip
#endif
        :: else ->
            assert((rows[old] & ~(BELOW(done[0] + 1) & BELOW(done[1] + 1))) == 0);  /* FAST, AGAIN */
            assert((writes[0] == 0 || into[0] != old) &&
                (writes[1] == 0 || into[1] != old));                            /* LOCK */
            rows[old] = 0
        fi
    };
    atomic { emptying[old] = false; old = 0 };
    goto end
}

init {
    atomic {
        run pusher(0);
        run pusher(1);
        run stage(0);
        run stage(1);
        run tidier()
    }
    timeout;
    assert(pushes == PUSHES && got[0] == pushed && got[1] == pushed)    /* REST */
}
