-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: refuses, before anything is made, a database in which
-- transactions could not use slots in memory. Error 51000 is put into words where it is caught.

IF NOT EXISTS (
    SELECT 1
    FROM sys.databases
    WHERE name = DB_NAME() AND is_memory_optimized_elevate_to_snapshot_on = 1)
    THROW 51000, N'ALTER DATABASE CURRENT SET MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON', 1;
GO
