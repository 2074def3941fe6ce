-- SPDX-License-Identifier: Apache-2.0
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

-- The sequences: how far everybody is. Three kinds of row, told apart by their key:
--
--     stage   epoch
--     ''      0      a lane: where the next message goes, and what is held
--     name    0      a stage in a lane: how far it has claimed and is done, and its counters
--     name    n      a claim: a range of a lane in the hand of a worker, under epoch n
--
-- They stand in one table, since a commit writes whole pages: so all that a push, a claim or a done
-- moves is on one page besides the slot's. The views slipring_lane, slipring_strand and
-- slipring_claim show each kind by itself. There are about as many claims as workers. So the claim
-- that runs out first is found by a look at all claims of a stage: an index would be written with
-- each claim.
CREATE TABLE slipring_sequence (
    ring           INTEGER NOT NULL,  -- slipring_ring.id
    stage          TEXT    NOT NULL,
    lane           INTEGER NOT NULL,  -- from 0
    epoch          INTEGER NOT NULL,
    -- a lane
    head           INTEGER,           -- the position of the next message
    gate           INTEGER,           -- below this position every stage is done
    bytes          INTEGER,           -- how many bytes the slots of the lane have
    producer       INTEGER,           -- in lane 0: who pushed to the ring last
    number         INTEGER,           -- in lane 0: the number of that push
    -- a stage in a lane
    start          INTEGER,           -- where the stage began
    claimed        INTEGER,           -- how far it has claimed
    done           INTEGER,           -- below this everything is done, set aside or dead
    high           INTEGER,           -- the furthest that done has ever been
    last_epoch     INTEGER,           -- the fencing number of its last claim
    waiting        INTEGER,           -- how many messages wait for a retry
    dead           INTEGER,           -- how many messages are dead
    dropped        INTEGER,           -- how many dropped messages are still in the way
    kept_bytes     INTEGER,           -- how many bytes the messages waiting or dead have
    redelivered    INTEGER,           -- how many messages were handed out again, ever
    failed         INTEGER,           -- how many failures there were, ever
    -- a claim
    first_position INTEGER,           -- the lowest position that is not settled
    end_position   INTEGER,           -- the position behind the last
    settled        BLOB,              -- bit n, the lowest first: first_position + n is settled
    attempt        INTEGER,           -- the number of the attempt, from 1
    worker         TEXT,              -- who has it; empty if it was given back
    expires        INTEGER,           -- when its lease runs out
    PRIMARY KEY (ring, stage, lane, epoch)
) WITHOUT ROWID;

CREATE VIEW slipring_lane AS
SELECT ring, lane, head, gate, bytes, producer, number
FROM slipring_sequence
WHERE stage = '';

CREATE VIEW slipring_strand AS
SELECT ring, stage, lane, start, claimed, done, high, last_epoch, waiting, dead, dropped,
       kept_bytes, redelivered, failed
FROM slipring_sequence
WHERE stage <> '' AND epoch = 0;

CREATE VIEW slipring_claim AS
SELECT ring, stage, lane, epoch, first_position, end_position, settled, attempt, worker, expires
FROM slipring_sequence
WHERE epoch > 0;

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
-- twice as long to write, read and delete, and one of 300 bytes a fifth longer, since such a table
-- reads whole rows to compare keys. With a rowid the table would need a second index, which takes a
-- quarter longer for 300 bytes.
CREATE TABLE slipring_slot (
    id        INTEGER PRIMARY KEY,
    count     INTEGER NOT NULL,  -- how many messages
    bytes     INTEGER NOT NULL,  -- how long the body is
    producer  INTEGER NOT NULL,  -- who pushed it; 0 if nobody will ask
    number    INTEGER NOT NULL,  -- the producer's number of the push
    pushed_at INTEGER NOT NULL,  -- when
    cell      INTEGER NOT NULL,  -- slipring_cell.id, where the body stands; 0 if it stands here
    body      BLOB    NOT NULL   -- the messages; last, so that the rest is read without it
);

-- The bodies of more than 8,000 bytes, each with zeros behind it up to one of a few lengths.
--
-- A slot that every stage is done with, which is one that ends at its lane's gate or before, keeps
-- its row and its cell until a push takes its place. If the cell has the right length, it is then
-- written over where it stands. SQLite does that in two thirds of the time that it takes to free
-- its pages and find others.
CREATE TABLE slipring_cell (
    id   INTEGER PRIMARY KEY,
    body BLOB NOT NULL
);

-- How far each producer is, so that a push that is repeated is not stored twice. The producer that
-- pushed last is not here but in the row of lane 0.
CREATE TABLE slipring_producer (
    ring     INTEGER NOT NULL,  -- slipring_ring.id
    producer INTEGER NOT NULL,  -- a random number that a producer gave itself
    number   INTEGER NOT NULL,  -- the greatest number that it has pushed
    seen_at  INTEGER NOT NULL,  -- when another took its place; forgotten after a day
    PRIMARY KEY (ring, producer)
) WITHOUT ROWID;

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

-- What is dropped and still in the way.
CREATE INDEX slipring_aside_dropped ON slipring_aside (ring, stage, lane, position)
    WHERE state = 'dropped';

-- Whoever runs this again, and does not stop at errors, changes nothing.
INSERT INTO slipring_schema (version)
    SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM slipring_schema);
