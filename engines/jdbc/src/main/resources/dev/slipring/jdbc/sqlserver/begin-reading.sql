-- SPDX-License-Identifier: Apache-2.0
-- Begins a transaction that reads one consistent state: a snapshot. With slots in memory no
-- snapshot spans both kinds of tables; there keep-reading.sql keeps the ring that is read.
IF OBJECTPROPERTY(OBJECT_ID(N'dbo.slipring_slot'), 'TableIsMemoryOptimized') = 1
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
ELSE
    SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
BEGIN TRANSACTION
