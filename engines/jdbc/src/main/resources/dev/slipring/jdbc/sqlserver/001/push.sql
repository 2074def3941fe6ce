-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: the usual push as one call, one round trip.
--
-- Pushes one slot into one lane. What is unusual is left to the statements of the engine: then
-- the procedure changes nothing and returns 'other'. It works with slots on disk and in memory.

-- Procedures keep these, and sqlcmd begins without the first.
SET QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING ON;
GO

-- Appends a slot and commits. Answers with one row:
--
--     outcome   pushed, again (the producer had pushed this number before), full, other
--     lane, first_position, turn, now   of the slot; undefined unless it was pushed
--     tight     1 if there is little room left, so that pushes need all lanes
--     free_messages, free_bytes         how much room there was
CREATE PROCEDURE dbo.slipring_push
    @ring     BIGINT,
    @version  BIGINT,  -- of the shape that the caller goes by
    @lane     INT,     -- the lane that it is to go to
    @anywhere INT,     -- 1 if another lane will do
    @all      INT,     -- 1 if the ring was short of room when it was last pushed to
    @producer BIGINT,  -- 0 if nobody will ask
    @number   BIGINT,
    @messages INT,
    @inline   INT,     -- a body up to this stands in its slot
    @body     VARBINARY(MAX)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- With IMPLICIT_TRANSACTIONS ours would be within another, which nobody commits.
    IF @@TRANCOUNT > 0 OR @@OPTIONS & 2 = 2
        THROW 51002, N'slipring_push begins and commits a transaction of its own', 1;

    DECLARE @outcome NVARCHAR(10) = N'other', @size BIGINT = DATALENGTH(@body), @tight INT = 0;
    DECLARE @lanes INT, @tries INT, @kept BIGINT, @head BIGINT, @turn BIGINT;
    DECLARE @extents NVARCHAR(MAX), @rest NVARCHAR(MAX), @extent NVARCHAR(70);
    DECLARE @capacity BIGINT, @capacity_bytes BIGINT, @share BIGINT, @share_bytes BIGINT;
    DECLARE @gates BIGINT, @out BIGINT, @oldest BIGINT, @held BIGINT, @held_bytes BIGINT;
    DECLARE @now BIGINT, @from BIGINT, @cell BIGINT, @cells BIGINT, @pieces INT;
    DECLARE @first_lane INT = @lane;

    SELECT @lanes = lanes, @capacity = messages, @capacity_bytes = bytes
    FROM dbo.slipring_ring
    WHERE id = @ring AND version = @version;

    -- Once; and a second time with all lanes kept, if the first time shows that room is short.
    WHILE @lanes IS NOT NULL
    BEGIN
        SET @head = NULL;
        SET @lane = @first_lane;
        BEGIN TRANSACTION;

        -- In the order of the lanes, so that two pushes that do so do not wait for each other.
        IF @all = 1
            SELECT @kept = COUNT_BIG(*)
            FROM dbo.slipring_lane WITH (ROWLOCK, UPDLOCK, READCOMMITTEDLOCK)
            WHERE ring = @ring;

        -- One statement locks the front, moves it and says where it was: the front of the lane that
        -- is wanted, or of the next one that nobody else has. If all are taken, this waits for the
        -- first.
        SET @tries = CASE WHEN @anywhere = 1 AND @all = 0 THEN @lanes ELSE 0 END;
        WHILE @head IS NULL AND @tries > 0
        BEGIN
            UPDATE dbo.slipring_lane WITH (ROWLOCK, READPAST, READCOMMITTEDLOCK)
            SET @head = head, @turn = turn, @extents = extents,
                head = head + @messages, turn = turn + 1, bytes = bytes + @size
            WHERE ring = @ring AND lane = @lane;
            SET @tries -= 1;
            IF @head IS NULL
                SET @lane = CASE WHEN @tries > 0 THEN (@lane + 1) % @lanes ELSE @first_lane END;
        END;
        IF @head IS NULL
            UPDATE dbo.slipring_lane WITH (ROWLOCK, READCOMMITTEDLOCK)
            SET @head = head, @turn = turn, @extents = extents,
                head = head + @messages, turn = turn + 1, bytes = bytes + @size
            WHERE ring = @ring AND lane = @lane;

        -- Nobody changes the shape of a ring while somebody has a front of it.
        IF @head IS NULL
            OR NOT EXISTS (SELECT 1 FROM dbo.slipring_ring WHERE id = @ring AND version = @version)
            BREAK;
        SET @now = DATEDIFF_BIG(MILLISECOND, '19700101', SYSUTCDATETIME());

        IF @producer <> 0
        BEGIN
            UPDATE dbo.slipring_producer WITH (ROWLOCK)
            SET number = @number, seen_at = @now
            WHERE ring = @ring AND producer = @producer AND number < @number;
            IF @@ROWCOUNT = 0
            BEGIN
                IF EXISTS (SELECT 1 FROM dbo.slipring_producer WITH (ROWLOCK, READCOMMITTEDLOCK)
                           WHERE ring = @ring AND producer = @producer)
                BEGIN
                    SET @outcome = N'again';
                    BREAK;
                END;
                -- Another transaction that inserts the same row at this moment fails, and asks
                -- again.
                INSERT INTO dbo.slipring_producer (ring, producer, number, seen_at)
                VALUES (@ring, @producer, @number, @now);
            END;
        END;

        -- The backs first: so what is released between the two looks counts as held.
        SELECT @gates = SUM(gate), @out = SUM(bytes),
            @oldest = SUM(CASE WHEN lane = @lane THEN turn ELSE 0 END)
        FROM dbo.slipring_gate
        WHERE ring = @ring;
        SELECT @held = SUM(head) - @gates - @messages, @held_bytes = SUM(bytes) - @out - @size
        FROM dbo.slipring_lane
        WHERE ring = @ring;

        -- In each other lane there may be a push under way, of at most a share of the ring.
        SET @share = @capacity / (4 * @lanes);
        SET @share_bytes = @capacity_bytes / (4 * @lanes);
        SET @tight = CASE
            WHEN @lanes = 1 THEN 0
            WHEN @messages <= @share AND @size <= @share_bytes
                AND @held + @messages + (@lanes - 1) * @share <= @capacity
                AND @held_bytes + @size + (@lanes - 1) * @share_bytes <= @capacity_bytes THEN 0
            ELSE 1
            END;
        IF @tight = 1 AND @all = 0
        BEGIN
            ROLLBACK TRANSACTION;
            SET @all = 1;
            CONTINUE;
        END;
        IF @held + @messages > @capacity OR @held_bytes + @size > @capacity_bytes
        BEGIN
            SET @outcome = N'full';
            BREAK;
        END;

        -- The cell, if the last extent has a free one, and no extent is to be removed. The extents
        -- are a list of from:cell:cells, between commas.
        SET @extent = RIGHT(@extents, CHARINDEX(N',', REVERSE(N',' + @extents)) - 1);
        SET @from = CAST(LEFT(@extent, CHARINDEX(N':', @extent) - 1) AS BIGINT);
        SET @extent = SUBSTRING(@extent, CHARINDEX(N':', @extent) + 1, 70);
        SET @cell = CAST(LEFT(@extent, CHARINDEX(N':', @extent) - 1) AS BIGINT);
        SET @cells = CAST(SUBSTRING(@extent, CHARINDEX(N':', @extent) + 1, 70) AS BIGINT);
        IF @turn - CASE WHEN @oldest > @from THEN @oldest ELSE @from END >= @cells
            BREAK;
        SET @rest = SUBSTRING(@extents, CHARINDEX(N',', @extents) + 1, 100);
        IF CHARINDEX(N',', @extents) > 0
            AND CAST(LEFT(@rest, CHARINDEX(N':', @rest) - 1) AS BIGINT) <= @oldest
            BREAK;

        SET @pieces = CASE WHEN @size > @inline THEN 1 ELSE 0 END;
        IF @pieces = 1 AND @turn % 4 = 0
            INSERT INTO dbo.slipring_content_0 (ring, lane, turn, piece, data)
            VALUES (@ring, @lane, @turn, 0, @body);
        IF @pieces = 1 AND @turn % 4 = 1
            INSERT INTO dbo.slipring_content_1 (ring, lane, turn, piece, data)
            VALUES (@ring, @lane, @turn, 0, @body);
        IF @pieces = 1 AND @turn % 4 = 2
            INSERT INTO dbo.slipring_content_2 (ring, lane, turn, piece, data)
            VALUES (@ring, @lane, @turn, 0, @body);
        IF @pieces = 1 AND @turn % 4 = 3
            INSERT INTO dbo.slipring_content_3 (ring, lane, turn, piece, data)
            VALUES (@ring, @lane, @turn, 0, @body);

        SET @cell += (@turn - @from) % @cells;
        IF @pieces = 1
            SET @body = 0x;
        EXECUTE dbo.slipring_put_slot @ring = @ring, @lane = @lane, @cell = @cell, @turn = @turn,
            @first_position = @head, @messages = @messages, @producer = @producer,
            @number = @number, @pushed_at = @now, @size = @size, @pieces = @pieces, @body = @body;
        COMMIT TRANSACTION;
        SET @outcome = N'pushed';
        BREAK;
    END;

    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    SELECT @outcome AS outcome, @lane AS lane, @head AS first_position, @turn AS turn, @now AS now,
        @tight AS tight, @capacity - @held AS free_messages,
        @capacity_bytes - @held_bytes AS free_bytes;
END;
GO
