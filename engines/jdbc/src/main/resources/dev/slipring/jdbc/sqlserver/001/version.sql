-- SPDX-License-Identifier: Apache-2.0
-- Slipring on SQL Server, schema version 1: the row that says that the schema is complete.

IF NOT EXISTS (SELECT 1 FROM dbo.slipring_schema)
    INSERT INTO dbo.slipring_schema (id, version) VALUES (1, 1);
GO
