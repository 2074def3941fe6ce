-- Slipring on SQLite, schema version 1.
--
-- Every table begins with slipring_, so that your own tables may live in the same file.
-- Times are milliseconds since 1970 by the clock of the process that wrote them.
-- Only Slipring writes these tables; reading them is fine at any time.

-- The version of this schema. One row.
CREATE TABLE slipring_schema (
    version INTEGER NOT NULL
);

-- The rings. AUTOINCREMENT: the id of a ring that was dropped is never used again.
CREATE TABLE slipring_ring (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL UNIQUE,
    version  INTEGER NOT NULL,  -- grows with each change of the shape
    lanes    INTEGER NOT NULL,  -- how many lanes; fixed
    messages INTEGER NOT NULL,  -- how many messages it holds at most
    bytes    INTEGER NOT NULL,  -- how many bytes of messages it holds at most
    shelf    INTEGER NOT NULL   -- where its slots stand: lane n uses shelf + n, see slipring_slot
);

-- The stages of a ring: named groups of workers, each of which sees every message once.
CREATE TABLE slipring_stage (
    ring             INTEGER NOT NULL,  -- slipring_ring.id
    number           INTEGER NOT NULL,  -- its place in the declaration, from 0
    name             TEXT    NOT NULL,
    mode             TEXT    NOT NULL,  -- pool or ordered
    lease_ms         INTEGER NOT NULL,  -- how long a claim lasts unless it is extended
    tries            INTEGER NOT NULL,  -- after how many attempts a message is dead
    backoff_first_ms INTEGER NOT NULL,  -- how long a message waits after its first failure
    backoff_most_ms  INTEGER NOT NULL,  -- how long it waits at most
    keep             INTEGER NOT NULL,  -- how many messages it may hold that are waiting or dead
    after            TEXT    NOT NULL,  -- the stages that it follows, joined by +; empty if none
    paused           INTEGER NOT NULL,  -- 1 if it hands out nothing
    PRIMARY KEY (ring, number)
) WITHOUT ROWID;

-- The lanes of a ring.
CREATE TABLE slipring_lane (
    ring  INTEGER NOT NULL,  -- slipring_ring.id
    lane  INTEGER NOT NULL,  -- from 0
    head  INTEGER NOT NULL,  -- the position of the next message
    gate  INTEGER NOT NULL,  -- below this position every stage is done
    bytes INTEGER NOT NULL,  -- how many bytes the slots of the lane have
    PRIMARY KEY (ring, lane)
) WITHOUT ROWID;

-- The messages. A slot has all messages of a lane that were pushed together.
--
-- The id packs where the slot stands: its shelf in the high bits, which is slipring_ring.shelf +
-- lane, and the position of its first message in the low 48 bits:
--
--     SELECT r.name, (s.id >> 48) - r.shelf AS lane, s.id & 0xFFFFFFFFFFFF AS first, s.count
--     FROM slipring_slot s
--     JOIN slipring_ring r ON s.id >> 48 BETWEEN r.shelf AND r.shelf + r.lanes - 1;
--
-- Why not PRIMARY KEY (ring, lane, first)? With WITHOUT ROWID a body of 300 KB takes more than
-- twice as long to write, read and delete, one of 300 bytes a fifth longer, since such a table
-- reads whole rows to compare keys; with a rowid it would need a second index, a quarter longer for
-- 300 bytes.
CREATE TABLE slipring_slot (
    id        INTEGER PRIMARY KEY,
    count     INTEGER NOT NULL,  -- how many messages
    bytes     INTEGER NOT NULL,  -- how long the body is
    producer  INTEGER NOT NULL,  -- who pushed it; 0 if nobody will ask
    number    INTEGER NOT NULL,  -- the producer's number of the push
    pushed_at INTEGER NOT NULL,  -- when
    body      BLOB    NOT NULL   -- the messages; last, so that the rest is read without it
);

-- How far each producer is, so that a push that is repeated is not stored twice.
CREATE TABLE slipring_producer (
    ring     INTEGER NOT NULL,  -- slipring_ring.id
    producer INTEGER NOT NULL,  -- a random number that a producer gave itself
    number   INTEGER NOT NULL,  -- the greatest number that it has pushed
    seen_at  INTEGER NOT NULL,  -- when; forgotten a week later
    PRIMARY KEY (ring, producer)
) WITHOUT ROWID;

-- A stage in a lane: its positions and counters.
CREATE TABLE slipring_strand (
    ring        INTEGER NOT NULL,  -- slipring_ring.id
    lane        INTEGER NOT NULL,
    stage       TEXT    NOT NULL,
    start       INTEGER NOT NULL,  -- where the stage began
    claimed     INTEGER NOT NULL,  -- how far it has claimed
    done        INTEGER NOT NULL,  -- below this everything is done, set aside or dead
    high        INTEGER NOT NULL,  -- the furthest that done has ever been
    epoch       INTEGER NOT NULL,  -- the fencing number of its last claim
    waiting     INTEGER NOT NULL,  -- how many messages wait for a retry
    dead        INTEGER NOT NULL,  -- how many messages are dead
    dropped     INTEGER NOT NULL,  -- how many dropped messages are still in the way
    kept_bytes  INTEGER NOT NULL,  -- how many bytes the messages waiting or dead have
    redelivered INTEGER NOT NULL,  -- how many messages were handed out again, ever
    failed      INTEGER NOT NULL,  -- how many failures there were, ever
    PRIMARY KEY (ring, lane, stage)
) WITHOUT ROWID;

-- The claims: ranges of a lane that are in the hand of a worker.
CREATE TABLE slipring_claim (
    ring           INTEGER NOT NULL,  -- slipring_ring.id
    stage          TEXT    NOT NULL,
    lane           INTEGER NOT NULL,
    epoch          INTEGER NOT NULL,  -- its fencing number
    first_position INTEGER NOT NULL,  -- the lowest position that is not settled
    end_position   INTEGER NOT NULL,  -- the position behind the last
    settled        BLOB    NOT NULL,  -- bit n, the lowest first: first_position + n is settled
    attempt        INTEGER NOT NULL,  -- the how manieth, from 1
    worker         TEXT    NOT NULL,  -- who has it; empty if it was given back
    expires        INTEGER NOT NULL,  -- when its lease runs out
    PRIMARY KEY (ring, stage, lane, epoch)
) WITHOUT ROWID;

-- Which claim runs out first, and which is the lowest in a lane. They cost a tenth of a claim of
-- one message; without them ten thousand claims in hand make each further claim ten times as slow.
CREATE INDEX slipring_claim_expires ON slipring_claim (ring, stage, expires, epoch);
CREATE INDEX slipring_claim_lowest ON slipring_claim (ring, stage, lane, first_position);

-- The messages that a stage keeps in rows of their own.
CREATE TABLE slipring_aside (
    id        INTEGER PRIMARY KEY,
    ring      INTEGER NOT NULL,  -- slipring_ring.id
    stage     TEXT    NOT NULL,
    lane      INTEGER NOT NULL,
    position  INTEGER NOT NULL,
    state     TEXT    NOT NULL,  -- waiting (or in hand), dead, or dropped (only in the way)
    blocks    INTEGER NOT NULL,  -- 1 if the stages that follow are kept from it
    attempts  INTEGER NOT NULL,  -- how often it was handed out
    due       INTEGER NOT NULL,  -- when it may be handed out; in hand: when the lease runs out
    epoch     INTEGER NOT NULL,  -- the claim that has it in hand; 0 if none
    error     TEXT    NOT NULL,  -- what the last failure said
    worker    TEXT    NOT NULL,  -- who had it last
    failed_at INTEGER NOT NULL,  -- when it failed last
    pushed_at INTEGER NOT NULL,  -- when it was pushed
    message   BLOB    NOT NULL   -- the message, as a slot of one; empty if dropped
);

CREATE UNIQUE INDEX slipring_aside_key ON slipring_aside (ring, stage, lane, position);

-- What is due next.
CREATE INDEX slipring_aside_due ON slipring_aside (ring, stage, due, lane, position)
    WHERE state = 'waiting';

-- What is the first in a lane.
CREATE INDEX slipring_aside_waiting ON slipring_aside (ring, stage, lane, position)
    WHERE state = 'waiting';

-- What a claim has in hand.
CREATE INDEX slipring_aside_hand ON slipring_aside (ring, stage, lane, epoch, position)
    WHERE epoch > 0;

INSERT INTO slipring_schema (version) VALUES (1);
