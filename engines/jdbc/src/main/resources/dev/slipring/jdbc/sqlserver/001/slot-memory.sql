-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: the slots, in memory-optimised tables, written by
-- natively compiled procedures. They are as durable as tables on disk (SCHEMA_AND_DATA), and have
-- neither latches nor locks. Pushes are ordered by the lock on the lane's front, which stays a row
-- on disk, because nobody can wait for a row in memory.
--
-- The database needs a filegroup that CONTAINS MEMORY_OPTIMIZED_DATA.

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
    -- Read by ranges of cells, so ordered and not hashed.
    CONSTRAINT slipring_slot_key PRIMARY KEY NONCLUSTERED (ring, lane, cell)
) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_AND_DATA);
GO

-- Bodies too large for a slot, inserted by the push and deleted when the slot is released. Number n
-- goes to table n modulo 4, so that the tables share the work.
CREATE TABLE dbo.slipring_content_0 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_0_key PRIMARY KEY NONCLUSTERED (ring, lane, turn, piece)
) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_AND_DATA);
GO

CREATE TABLE dbo.slipring_content_1 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_1_key PRIMARY KEY NONCLUSTERED (ring, lane, turn, piece)
) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_AND_DATA);
GO

CREATE TABLE dbo.slipring_content_2 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_2_key PRIMARY KEY NONCLUSTERED (ring, lane, turn, piece)
) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_AND_DATA);
GO

CREATE TABLE dbo.slipring_content_3 (
    ring  BIGINT NOT NULL,
    lane  INT    NOT NULL,
    turn  BIGINT NOT NULL,
    piece INT    NOT NULL,
    data  VARBINARY(MAX) NOT NULL,
    CONSTRAINT slipring_content_3_key PRIMARY KEY NONCLUSTERED (ring, lane, turn, piece)
) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_AND_DATA);
GO

-- Makes the cells of an extent: empty slots, whose rows are there from now on.
CREATE PROCEDURE dbo.slipring_make_cells
    @ring BIGINT NOT NULL, @lane INT NOT NULL, @first_cell BIGINT NOT NULL, @cells BIGINT NOT NULL
WITH NATIVE_COMPILATION, SCHEMABINDING
AS
BEGIN ATOMIC WITH (TRANSACTION ISOLATION LEVEL = SNAPSHOT, LANGUAGE = N'us_english')
    DECLARE @made BIGINT = 0;

    WHILE @made < @cells
    BEGIN
        INSERT INTO dbo.slipring_slot (ring, lane, cell, turn, first_position, messages, producer,
            number, pushed_at, size, pieces, body)
        VALUES (@ring, @lane, @first_cell + @made, -1, -1, 0, 0, 0, 0, 0, 0, 0x);
        SET @made = @made + 1;
    END;
END;
GO

-- Writes a slot into its cell. The row is there and gets a new version; if somebody has deleted it,
-- it is made anew. The caller has locked the lane's front, so nobody else writes this cell.
CREATE PROCEDURE dbo.slipring_put_slot
    @ring BIGINT NOT NULL, @lane INT NOT NULL, @cell BIGINT NOT NULL, @turn BIGINT NOT NULL,
    @first_position BIGINT NOT NULL, @messages INT NOT NULL,
    @producer BIGINT NOT NULL, @number BIGINT NOT NULL, @pushed_at BIGINT NOT NULL,
    @size INT NOT NULL, @pieces INT NOT NULL,
    @body VARBINARY(3000) NOT NULL
WITH NATIVE_COMPILATION, SCHEMABINDING
AS
BEGIN ATOMIC WITH (TRANSACTION ISOLATION LEVEL = SNAPSHOT, LANGUAGE = N'us_english')
    UPDATE dbo.slipring_slot
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
