-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: deletes the bodies of released slots.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_empty *//*M! DO 0 */$$

-- Deletes the bodies of slots that stand outside of them. Each statement ends with the last row
-- that it is to find: one more, and it would wait for the body of a push that is still open.
CREATE /*M! OR REPLACE */ PROCEDURE slipring_empty(
    IN a_ring BIGINT,
    IN a_lane INT,
    IN a_from BIGINT,    -- the number of the first slot
    IN a_to   BIGINT,    -- the number of the last
    IN a_rows_0 BIGINT,  -- how many rows they have in each table
    IN a_rows_1 BIGINT,
    IN a_rows_2 BIGINT,
    IN a_rows_3 BIGINT)
    SQL SECURITY INVOKER
BEGIN
    IF a_rows_0 > 0 THEN
        DELETE FROM slipring_content_0
            WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_from AND a_to
            ORDER BY turn, piece LIMIT a_rows_0;
    END IF;
    IF a_rows_1 > 0 THEN
        DELETE FROM slipring_content_1
            WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_from AND a_to
            ORDER BY turn, piece LIMIT a_rows_1;
    END IF;
    IF a_rows_2 > 0 THEN
        DELETE FROM slipring_content_2
            WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_from AND a_to
            ORDER BY turn, piece LIMIT a_rows_2;
    END IF;
    IF a_rows_3 > 0 THEN
        DELETE FROM slipring_content_3
            WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_from AND a_to
            ORDER BY turn, piece LIMIT a_rows_3;
    END IF;
END$$

DELIMITER ;
