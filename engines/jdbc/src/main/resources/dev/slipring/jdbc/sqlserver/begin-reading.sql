-- SPDX-License-Identifier: Apache-2.0
-- Begins a transaction that reads one consistent state: a snapshot. With slots in memory there is
-- none that spans both kinds of tables; there the backs of all lanes are kept from changing, so
-- that nothing is released, claimed or done meanwhile, and what is pushed only comes on top.
IF OBJECTPROPERTY(OBJECT_ID(N'dbo.slipring_slot'), 'TableIsMemoryOptimized') = 1
BEGIN
    DECLARE @kept BIGINT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    BEGIN TRANSACTION;
    SELECT @kept = COUNT_BIG(*) FROM dbo.slipring_gate WITH (ROWLOCK, REPEATABLEREAD);
END
ELSE
BEGIN
    SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
    BEGIN TRANSACTION;
END
