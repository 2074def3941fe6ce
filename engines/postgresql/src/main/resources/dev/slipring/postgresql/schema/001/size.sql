-- SPDX-License-Identifier: Apache-2.0
-- Sizes and times that are fixed. -----------------------------------------------------------------
-- The planner writes the number in the place of each call. What runs for every message has it in
-- its text (make_own).

-- How many bytes of a slot are in one row. With what else is in a row that is just less than what
-- would be moved to a TOAST table.
CREATE FUNCTION slipring.bytes_of_piece() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 8000 $$;

-- A claim ends with the slot that makes it as large as this, so that a worker's memory is bounded.
CREATE FUNCTION slipring.bytes_of_claim() RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT 4 << 20 $$;

-- How large a message may be that is pushed from SQL.
CREATE FUNCTION slipring.bytes_of_message() RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT 64 << 20 $$;

-- The longest back-off, and the longest wait for a retry: 36,525 days, in milliseconds.
CREATE FUNCTION slipring.century() RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT 36525 * 86400000::bigint $$;
