-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: tells which cells the slots of a lane occupy.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_extent *//*M! DO 0 */$$

-- Finds the piece of a lane in which a slot stands: the last that begins at its number or before.
-- See slipring_slot for what extents are.
CREATE /*M! OR REPLACE */ PROCEDURE slipring_extent(
    IN  a_extents TEXT CHARACTER SET ascii COLLATE ascii_bin,
    IN  a_turn    BIGINT,   -- the number of the slot
    OUT a_cell    BIGINT,   -- its cell
    OUT a_run     BIGINT)   -- how many slots from this one on stand in neighbouring cells
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_rest TEXT CHARACTER SET ascii COLLATE ascii_bin DEFAULT a_extents;
    DECLARE v_part TEXT CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE v_from, v_cells, v_until BIGINT;

    -- From the oldest on: there may be some hundred, and what is claimed stands in the first.
    search: LOOP
        SET v_part = SUBSTRING_INDEX(v_rest, ',', 1);
        SET v_rest = SUBSTRING(v_rest, CHAR_LENGTH(v_part) + 2);
        SET v_until = IF(v_rest = '', 9223372036854775807, SUBSTRING_INDEX(v_rest, ':', 1));
        IF v_until > a_turn THEN
            LEAVE search;
        END IF;
    END LOOP;
    SET v_from = SUBSTRING_INDEX(v_part, ':', 1);
    SET a_cell = SUBSTRING_INDEX(SUBSTRING_INDEX(v_part, ':', 2), ':', -1);
    SET v_cells = SUBSTRING_INDEX(v_part, ':', -1);
    SET a_run = LEAST(v_cells - MOD(a_turn - v_from, v_cells), v_until - a_turn);
    SET a_cell = a_cell + MOD(a_turn - v_from, v_cells);
END$$

DELIMITER ;
