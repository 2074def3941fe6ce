-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: the slots, in tables on disk. For slots in memory,
-- slot-memory.sql is used instead of this file.

-- Procedures keep these, and sqlcmd begins without the first. Columns keep the last: without it
-- SQL Server 2016 would store bytes without the zeros at their end.
SET QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING ON;
GO

-- The slots, all there before the first message, updated in place lap after lap. The cell of slot
-- number n of a lane follows from slipring_lane.extents: a list of turn:cell:cells, each of which
-- is a piece of the lane with its own laps, from that number on. A lane that has more slots than
-- cells gets a further piece, larger up to a bound. The piece before it goes when it is released.
CREATE TABLE dbo.slipring_slot (
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
    CONSTRAINT slipring_slot_key PRIMARY KEY (ring, lane, cell)
);
GO

-- Bodies too large for a slot, inserted by the push and deleted when the slot is released. Number n
-- goes to table n modulo 4, so that the tables share the work.
CREATE TABLE dbo.slipring_content_0 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_0_key PRIMARY KEY (ring, lane, turn, piece)
);
GO

CREATE TABLE dbo.slipring_content_1 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_1_key PRIMARY KEY (ring, lane, turn, piece)
);
GO

CREATE TABLE dbo.slipring_content_2 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_2_key PRIMARY KEY (ring, lane, turn, piece)
);
GO

CREATE TABLE dbo.slipring_content_3 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_3_key PRIMARY KEY (ring, lane, turn, piece)
);
GO

-- A piece of a lane's cells is made in one statement, which must not lock the other lanes. Nor must
-- a ring that is dropped lock other rings, whose rows may be on the same pages.
ALTER TABLE dbo.slipring_slot SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_slot SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_content_0 SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_content_0 SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_content_1 SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_content_1 SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_content_2 SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_content_2 SET (ALLOW_PAGE_LOCKS = OFF);
GO

ALTER TABLE dbo.slipring_content_3 SET (LOCK_ESCALATION = DISABLE);
ALTER INDEX ALL ON dbo.slipring_content_3 SET (ALLOW_PAGE_LOCKS = OFF);
GO

-- These procedures work in the transaction around them, which may be a caller's. The caller's
-- XACT_ABORT says what an error does to it.

-- Makes the cells of an extent: empty slots, whose rows are there from now on.
CREATE PROCEDURE dbo.slipring_make_cells
    @ring BIGINT, @lane INT, @first_cell BIGINT, @cells BIGINT
AS
BEGIN
    SET NOCOUNT ON;

    WITH digit (d) AS (
        SELECT v.d FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS v (d)
    ),
    -- As many numbers as are wanted, from 0; TOP ends the joins early.
    counted (n) AS (
        SELECT TOP (@cells) ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) - 1
        FROM digit AS a CROSS JOIN digit AS b CROSS JOIN digit AS c CROSS JOIN digit AS d
            CROSS JOIN digit AS e CROSS JOIN digit AS f CROSS JOIN digit AS g CROSS JOIN digit AS h
    )
    INSERT INTO dbo.slipring_slot (ring, lane, cell, turn, first_position, messages, producer,
        number, pushed_at, size, pieces, body)
    SELECT @ring, @lane, @first_cell + counted.n, -1, -1, 0, 0, 0, 0, 0, 0, 0x
    FROM counted;
END;
GO

-- Writes a slot into its cell. The row is there and is updated in place; if somebody has deleted
-- it, it is made anew. The caller has locked the lane's front, so nobody else writes this cell.
CREATE PROCEDURE dbo.slipring_put_slot
    @ring BIGINT, @lane INT, @cell BIGINT, @turn BIGINT, @first_position BIGINT, @messages INT,
    @producer BIGINT, @number BIGINT, @pushed_at BIGINT, @size INT, @pieces INT,
    @body VARBINARY(3000)
AS
BEGIN
    SET NOCOUNT ON;

    UPDATE dbo.slipring_slot WITH (ROWLOCK)
    SET turn = @turn, first_position = @first_position, messages = @messages,
        producer = @producer, number = @number, pushed_at = @pushed_at, size = @size,
        pieces = @pieces, body = @body
    WHERE ring = @ring AND lane = @lane AND cell = @cell;

    IF @@ROWCOUNT = 0
        INSERT INTO dbo.slipring_slot (ring, lane, cell, turn, first_position, messages, producer,
            number, pushed_at, size, pieces, body)
        VALUES (@ring, @lane, @cell, @turn, @first_position, @messages, @producer,
            @number, @pushed_at, @size, @pieces, @body);
END;
GO
