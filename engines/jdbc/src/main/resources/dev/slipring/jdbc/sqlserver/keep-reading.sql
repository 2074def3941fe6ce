-- SPDX-License-Identifier: Apache-2.0
-- With slots in memory: keeps the backs of all lanes of a ring from changing. So nothing of the
-- ring is released, claimed or done while it is read, its shape does not change, and what is pushed
-- meanwhile only comes on top. Other rings go on.
DECLARE @kept BIGINT;
IF OBJECTPROPERTY(OBJECT_ID(N'dbo.slipring_slot'), 'TableIsMemoryOptimized') = 1
    SELECT @kept = COUNT_BIG(*)
    FROM dbo.slipring_gate WITH (ROWLOCK, REPEATABLEREAD)
    WHERE ring = (SELECT id FROM dbo.slipring_ring WHERE name = ?)
