-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: everything but the slots.
--
-- Every object is dbo.slipring_*. Times are milliseconds since 1970 by the server's clock. Only
-- Slipring writes these tables; reading them is fine at any time.
--
-- Every key begins with the ring and the lane, so that rows that are close in time are not close on
-- a page: pushes into different lanes latch different pages. Names are compared bit by bit,
-- whatever the database's collation is.

-- Procedures keep these, and sqlcmd begins without the first. Columns keep the last: without it
-- SQL Server 2016 would store bytes without the zeros at their end.
SET QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING ON;
GO

-- The version of this schema. One row, written when everything else is there.
CREATE TABLE dbo.slipring_schema (
    id      INT NOT NULL CONSTRAINT slipring_schema_key PRIMARY KEY,
    version INT NOT NULL
);
GO

-- The ids of rings. The id of a ring that was dropped is never used again.
CREATE SEQUENCE dbo.slipring_ring_id AS BIGINT START WITH 1 INCREMENT BY 1 NO CACHE;
GO

-- They begin anywhere below 2^22. A process that lives on while the database is dropped and made
-- anew keeps what it knows of rings by their ids, and must not take the new rings for those.
IF NOT EXISTS (SELECT 1 FROM dbo.slipring_schema)
BEGIN
    DECLARE @begin NVARCHAR(100) = CONCAT(N'ALTER SEQUENCE dbo.slipring_ring_id RESTART WITH ',
        1 + ABS(CHECKSUM(NEWID()) % 4194303));
    EXECUTE sys.sp_executesql @begin;
END;
GO

-- The rings.
CREATE TABLE dbo.slipring_ring (
    id       BIGINT NOT NULL CONSTRAINT slipring_ring_key PRIMARY KEY,
    name     NVARCHAR(63) COLLATE Latin1_General_100_BIN2 NOT NULL
        CONSTRAINT slipring_ring_name UNIQUE,
    version  BIGINT NOT NULL,  -- grows with each change of the shape
    lanes    INT    NOT NULL,  -- how many lanes; fixed
    messages BIGINT NOT NULL,  -- how many messages it holds at most
    bytes    BIGINT NOT NULL,  -- how many bytes of messages it holds at most
    origin   BIGINT NOT NULL   -- a random number, which no ring of another database has
);
GO

-- The stages of a ring: named groups of workers, each of which sees every message once.
CREATE TABLE dbo.slipring_stage (
    ring             BIGINT NOT NULL,  -- slipring_ring.id
    number           INT    NOT NULL,  -- its place in the declaration, from 0
    name             NVARCHAR(63) COLLATE Latin1_General_100_BIN2 NOT NULL,
    mode             NVARCHAR(10) COLLATE Latin1_General_100_BIN2 NOT NULL,  -- pool, ordered
    lease_ms         BIGINT NOT NULL,  -- how long a claim lasts unless it is extended
    tries            INT    NOT NULL,  -- after how many attempts a message is dead
    backoff_first_ms BIGINT NOT NULL,  -- how long a message waits after its first failure
    backoff_most_ms  BIGINT NOT NULL,  -- how long it waits at most
    keep_most        BIGINT NOT NULL,  -- how many messages it may hold that are waiting or dead
    follows          NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,  -- joined by +
    paused           INT    NOT NULL,  -- 1 if it hands out nothing
    CONSTRAINT slipring_stage_key PRIMARY KEY (ring, number)
);
GO

-- The front of a lane. A push locks this row to the end of its transaction (UPDLOCK), so that
-- commits and positions have one order. A push that finds it locked goes to another lane
-- (READPAST).
CREATE TABLE dbo.slipring_lane (
    ring    BIGINT NOT NULL,  -- slipring_ring.id
    lane    INT    NOT NULL,  -- from 0
    head    BIGINT NOT NULL,  -- the position of the next message
    turn    BIGINT NOT NULL,  -- how many slots were ever pushed: the number of the next one
    bytes   BIGINT NOT NULL,  -- how many bytes were ever pushed
    extents NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,  -- where its slots stand
    CONSTRAINT slipring_lane_key PRIMARY KEY (ring, lane)
);
GO

-- The back of a lane. A claim or a word locks this row, which guards the lane's strands, the claims
-- on them and what is set aside.
CREATE TABLE dbo.slipring_gate (
    ring  BIGINT NOT NULL,  -- slipring_ring.id
    lane  INT    NOT NULL,  -- from 0
    gate  BIGINT NOT NULL,  -- below this position every stage is done
    first_position BIGINT NOT NULL,  -- where the oldest held slot begins
    turn  BIGINT NOT NULL,  -- its number
    bytes BIGINT NOT NULL,  -- how many bytes were ever released
    moves BIGINT NOT NULL,  -- how often anything behind this row changed
    CONSTRAINT slipring_gate_key PRIMARY KEY (ring, lane)
);
GO

-- A stage in a lane: how far it is, its counters, and the claims in hand.
--
-- A claim is a line of the column claims:
--     epoch first end attempt expires turn-of-first settled worker
-- with settled in hexadecimal (bit n, the lowest first: first + n is settled), - for none.
CREATE TABLE dbo.slipring_strand (
    ring         BIGINT NOT NULL,  -- slipring_ring.id
    lane         INT    NOT NULL,
    stage        NVARCHAR(63) COLLATE Latin1_General_100_BIN2 NOT NULL,
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
    anchor       BIGINT NOT NULL,  -- where a slot begins, at claimed or before it
    anchor_turn  BIGINT NOT NULL,  -- its number
    expires      BIGINT NOT NULL,  -- when the first of its claims runs out; 2^63 - 1 for none
    claims       NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2 NOT NULL,
    CONSTRAINT slipring_strand_key PRIMARY KEY (ring, lane, stage)
);
GO

-- How far each producer is, so that a push that is repeated is not stored twice.
CREATE TABLE dbo.slipring_producer (
    ring     BIGINT NOT NULL,  -- slipring_ring.id
    producer BIGINT NOT NULL,  -- a random number that a producer gave itself
    number   BIGINT NOT NULL,  -- the greatest number that it has pushed
    seen_at  BIGINT NOT NULL,  -- when; forgotten after a day
    CONSTRAINT slipring_producer_key PRIMARY KEY (ring, producer)
);
GO

-- The messages that a stage keeps in rows of their own.
CREATE TABLE dbo.slipring_aside (
    ring      BIGINT NOT NULL,  -- slipring_ring.id
    lane      INT    NOT NULL,
    stage     NVARCHAR(63) COLLATE Latin1_General_100_BIN2 NOT NULL,
    position  BIGINT NOT NULL,
    state     INT    NOT NULL,  -- 0 waiting (or in hand), 1 dead, 2 dropped (only in the way)
    blocks    INT    NOT NULL,  -- 1 if the stages that follow are kept from it
    attempts  INT    NOT NULL,  -- how often it was handed out
    due       BIGINT NOT NULL,  -- when it may be handed out; in hand: when the lease runs out
    epoch     BIGINT NOT NULL,  -- the claim that has it in hand; 0 if none
    error     NVARCHAR(MAX) NOT NULL,
    worker    NVARCHAR(MAX) NOT NULL,  -- who had it last
    failed_at BIGINT NOT NULL,  -- when it failed last
    pushed_at BIGINT NOT NULL,  -- when it was pushed
    pieces    INT    NOT NULL,  -- in how many rows of slipring_aside_piece it is; 0: here
    message   VARBINARY(MAX) NOT NULL,  -- the message, as a slot of one; empty if dropped
    CONSTRAINT slipring_aside_key PRIMARY KEY (ring, lane, stage, position),
    INDEX slipring_aside_due (ring, stage, state, due),
    INDEX slipring_aside_hand (ring, lane, stage, epoch)
);
GO

-- Messages of slipring_aside that are too large for one row to be sent at once.
CREATE TABLE dbo.slipring_aside_piece (
    ring     BIGINT NOT NULL,
    lane     INT    NOT NULL,
    stage    NVARCHAR(63) COLLATE Latin1_General_100_BIN2 NOT NULL,
    position BIGINT NOT NULL,
    piece    INT    NOT NULL,
    data     VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_aside_piece_key PRIMARY KEY (ring, lane, stage, position, piece)
);
GO

-- Locks on many rows of one lane, or on all rows of one ring, must never become a lock on the
-- others: on the table, or on a page, for which also those wait who leave out locked rows.
ALTER TABLE dbo.slipring_schema SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_schema SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_ring SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_ring SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_stage SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_stage SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_lane SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_lane SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_gate SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_gate SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_strand SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_strand SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_producer SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_producer SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_aside SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_aside SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_aside_piece SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_aside_piece SET (ALLOW_PAGE_LOCKS = OFF);
GO
