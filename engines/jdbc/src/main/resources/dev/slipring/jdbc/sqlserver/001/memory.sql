-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: refuses, before anything is created, a database in
-- which transactions could not use slots in memory. The client replaces error 51000 by a message
-- that says what to do.

IF NOT EXISTS (
    SELECT 1
    FROM sys.databases
    WHERE name = DB_NAME() AND is_memory_optimized_elevate_to_snapshot_on = 1)
    THROW 51000, N'ALTER DATABASE CURRENT SET MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON', 1;
GO
