-- SPDX-License-Identifier: Apache-2.0
-- Refuses a database in which readers would wait for writers, or commits would not wait for the
-- disk; else says how many bytes are taken at once. Error 51000 is put into words where it is
-- caught.
DECLARE @missing NVARCHAR(200) = (
    SELECT CASE
        WHEN is_read_committed_snapshot_on = 0
            THEN N'READ_COMMITTED_SNAPSHOT ON WITH ROLLBACK IMMEDIATE'
        WHEN snapshot_isolation_state <> 1
            THEN N'ALLOW_SNAPSHOT_ISOLATION ON'
        WHEN delayed_durability = 2
            THEN N'DELAYED_DURABILITY = DISABLED'
        WHEN is_memory_optimized_elevate_to_snapshot_on = 0
            AND OBJECTPROPERTY(OBJECT_ID(N'dbo.slipring_slot'), 'TableIsMemoryOptimized') = 1
            THEN N'MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON'
        END
    FROM sys.databases
    WHERE name = DB_NAME());

IF @missing IS NOT NULL
BEGIN
    SET @missing = N'ALTER DATABASE CURRENT SET ' + @missing;
    THROW 51000, @missing, 1;
END;

SELECT CAST(67108864 AS BIGINT)
