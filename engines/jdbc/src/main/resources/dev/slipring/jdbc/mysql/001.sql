-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL, schema version 1.
--
-- Every table begins with slipring_. Times are milliseconds since 1970 by the server's clock.
-- Only Slipring writes these tables; reading them is fine at any time.
--
-- Every key begins with the ring and the lane, so that rows that are close in time are not close on
-- a page: pushes into different lanes do not meet.

-- The version of this schema. One row.
CREATE TABLE IF NOT EXISTS slipring_schema (
    id      INT NOT NULL PRIMARY KEY,
    version INT NOT NULL
) ENGINE = InnoDB;

-- The rings. The id of a ring that was dropped is never used again: slipring_id counts on, from a
-- random number.
CREATE TABLE IF NOT EXISTS slipring_ring (
    id       BIGINT NOT NULL PRIMARY KEY,
    name     VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version  BIGINT NOT NULL,  -- grows with each change of the shape
    lanes    INT    NOT NULL,  -- how many lanes; fixed
    messages BIGINT NOT NULL,  -- how many messages it holds at most
    bytes    BIGINT NOT NULL,  -- how many bytes of messages it holds at most
    origin   BIGINT NOT NULL,  -- a random number, which no ring of another database has
    UNIQUE KEY slipring_ring_name (name)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS slipring_id (
    kind INT    NOT NULL PRIMARY KEY,
    next BIGINT NOT NULL
) ENGINE = InnoDB;

-- The stages of a ring: named groups of workers, each of which sees every message once.
CREATE TABLE IF NOT EXISTS slipring_stage (
    ring             BIGINT  NOT NULL,  -- slipring_ring.id
    number           INT     NOT NULL,  -- its place in the declaration, from 0
    name             VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    mode             VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,  -- pool, ordered
    lease_ms         BIGINT  NOT NULL,  -- how long a claim lasts unless it is extended
    tries            INT     NOT NULL,  -- after how many attempts a message is dead
    backoff_first_ms BIGINT  NOT NULL,  -- how long a message waits after its first failure
    backoff_most_ms  BIGINT  NOT NULL,  -- how long it waits at most
    keep_most        BIGINT  NOT NULL,  -- how many messages it may hold that are waiting or dead
    follows          TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,  -- joined by +
    paused           INT     NOT NULL,  -- 1 if it hands out nothing
    PRIMARY KEY (ring, number)
) ENGINE = InnoDB;

-- The front of a lane. A push locks this row to the end of its transaction, so that commits and
-- positions have one order. A push that finds it locked goes to another lane (SKIP LOCKED).
CREATE TABLE IF NOT EXISTS slipring_lane (
    ring    BIGINT NOT NULL,  -- slipring_ring.id
    lane    INT    NOT NULL,  -- from 0
    head    BIGINT NOT NULL,  -- the position of the next message
    turn    BIGINT NOT NULL,  -- how many slots were ever pushed: the number of the next one
    bytes   BIGINT NOT NULL,  -- how many bytes were ever pushed
    extents TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,  -- where its slots stand, below
    -- How far pushes may go on without a look at the other lanes: to this position, and to so many
    -- bytes ever pushed. Only for a client that knows turn; 0 if there is none.
    room       BIGINT NOT NULL DEFAULT 0,
    room_bytes BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (ring, lane)
) ENGINE = InnoDB;

-- The back of a lane. A claim or a word locks this row, which guards the lane's strands, the claims
-- on them and what is set aside.
CREATE TABLE IF NOT EXISTS slipring_gate (
    ring  BIGINT NOT NULL,  -- slipring_ring.id
    lane  INT    NOT NULL,  -- from 0
    gate  BIGINT NOT NULL,  -- below this position every stage is done
    first_position BIGINT NOT NULL,  -- where the oldest held slot begins
    turn  BIGINT NOT NULL,  -- its number
    bytes BIGINT NOT NULL,  -- how many bytes were ever released
    moves BIGINT NOT NULL,  -- how often anything behind this row changed
    PRIMARY KEY (ring, lane)
) ENGINE = InnoDB;

-- A stage in a lane: how far it is, its counters, and the claims in hand.
--
-- A claim is a line of the column claims:
--     epoch first end attempt expires turn-of-first settled worker
-- with settled in hexadecimal (bit n, the lowest first: first + n is settled), - for none.
CREATE TABLE IF NOT EXISTS slipring_strand (
    ring         BIGINT NOT NULL,  -- slipring_ring.id
    lane         INT    NOT NULL,
    stage        VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    started      BIGINT NOT NULL,  -- where the stage began
    claimed      BIGINT NOT NULL,  -- how far it has claimed
    done         BIGINT NOT NULL,  -- below this everything is done, set aside or dead
    high         BIGINT NOT NULL,  -- the furthest that done has ever been
    last_epoch   BIGINT NOT NULL,  -- the fencing number of its last claim
    waiting      BIGINT NOT NULL,  -- how many messages wait for a retry
    dead         BIGINT NOT NULL,  -- how many messages are dead
    dropped      BIGINT NOT NULL,  -- how many dropped messages are still in the way
    kept_bytes   BIGINT NOT NULL,  -- how many bytes the messages waiting or dead have
    redelivered  BIGINT NOT NULL,  -- how many messages were handed out again, ever
    failed       BIGINT NOT NULL,  -- how many failures there were, ever
    anchor       BIGINT NOT NULL,  -- a position, at claimed or before it
    anchor_turn  BIGINT NOT NULL,  -- the number of the slot that it is in
    expires      BIGINT NOT NULL,  -- when the first of its claims runs out; 2^63 - 1 for none
    claims       MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (ring, lane, stage)
) ENGINE = InnoDB;

-- The slots, all there before the first message, updated in place lap after lap. The cell of slot
-- number n of a lane follows from slipring_lane.extents: a list of turn:cell:cells, each of which
-- is a piece of the lane with its own laps, from that number on. A lane that has more slots than
-- cells gets a further piece, larger up to a bound. The piece before it goes when it is released.
CREATE TABLE IF NOT EXISTS slipring_slot (
    ring           BIGINT NOT NULL,  -- slipring_ring.id
    lane           INT    NOT NULL,
    cell           BIGINT NOT NULL,
    turn           BIGINT NOT NULL,  -- the number of the slot that stands here; -1 before the first
    first_position BIGINT NOT NULL,  -- the position of its first message
    messages       INT    NOT NULL,  -- how many messages
    producer       BIGINT NOT NULL,  -- who pushed it; 0 if nobody will ask
    number         BIGINT NOT NULL,  -- the producer's number of the push
    pushed_at      BIGINT NOT NULL,  -- when
    size           INT    NOT NULL,  -- how long the body is
    pieces         INT    NOT NULL,  -- in how many rows of slipring_content_n it is; 0: here
    body           VARBINARY(3000) NOT NULL,
    PRIMARY KEY (ring, lane, cell)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Bodies too large for a slot, inserted by the push and deleted when the slot is released. Number n
-- goes to table n modulo 4, so that the tables share the work.
CREATE TABLE IF NOT EXISTS slipring_content_0 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  MEDIUMBLOB NOT NULL,
    PRIMARY KEY (ring, lane, turn, piece)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

CREATE TABLE IF NOT EXISTS slipring_content_1 LIKE slipring_content_0;

CREATE TABLE IF NOT EXISTS slipring_content_2 LIKE slipring_content_0;

CREATE TABLE IF NOT EXISTS slipring_content_3 LIKE slipring_content_0;

-- How far each producer is, so that a push that is repeated is not stored twice.
CREATE TABLE IF NOT EXISTS slipring_producer (
    ring     BIGINT NOT NULL,  -- slipring_ring.id
    producer BIGINT NOT NULL,  -- a random number that a producer gave itself
    number   BIGINT NOT NULL,  -- the greatest number that it has pushed
    seen_at  BIGINT NOT NULL,  -- when; forgotten after a day
    PRIMARY KEY (ring, producer)
) ENGINE = InnoDB;

-- The messages that a stage keeps in rows of their own.
CREATE TABLE IF NOT EXISTS slipring_aside (
    ring      BIGINT NOT NULL,  -- slipring_ring.id
    lane      INT    NOT NULL,
    stage     VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    position  BIGINT NOT NULL,
    state     INT    NOT NULL,  -- 0 waiting (or in hand), 1 dead, 2 dropped (only in the way)
    blocks    INT    NOT NULL,  -- 1 if the stages that follow are kept from it
    attempts  INT    NOT NULL,  -- how often it was handed out
    due       BIGINT NOT NULL,  -- when it may be handed out; in hand: when the lease runs out
    epoch     BIGINT NOT NULL,  -- the claim that has it in hand; 0 if none
    error     MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    worker    TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,  -- who had it last
    failed_at BIGINT NOT NULL,  -- when it failed last
    pushed_at BIGINT NOT NULL,  -- when it was pushed
    pieces    INT    NOT NULL,  -- in how many rows of slipring_aside_piece it is; 0: here
    message   MEDIUMBLOB NOT NULL,  -- the message, as a slot of one; empty if dropped
    PRIMARY KEY (ring, lane, stage, position),
    KEY slipring_aside_due (ring, stage, state, due),
    KEY slipring_aside_hand (ring, lane, stage, state, epoch)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Messages of slipring_aside that are too large for one row to be sent at once.
CREATE TABLE IF NOT EXISTS slipring_aside_piece (
    ring     BIGINT NOT NULL,
    lane     INT    NOT NULL,
    stage    VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    position BIGINT NOT NULL,
    piece    INT    NOT NULL,
    data     MEDIUMBLOB NOT NULL,
    PRIMARY KEY (ring, lane, stage, position, piece)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
