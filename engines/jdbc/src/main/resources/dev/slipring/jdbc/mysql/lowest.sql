-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: tells what the claims in hand mean for a strand.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_lowest *//*M! DO 0 */$$

-- How far a strand is done and when the first of its claims runs out, by its claims in hand.
CREATE /*M! OR REPLACE */ PROCEDURE slipring_lowest(
    IN    a_claims  MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    INOUT a_done    BIGINT,   -- not above this
    INOUT a_expires BIGINT)   -- not after this
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_rest, v_line MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
    -- What a backslash means was settled by the session in which the procedure was made.
    DECLARE v_end_of_line CHAR(1) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        DEFAULT CHAR(10 USING utf8mb4);

    SET v_rest = a_claims;
    WHILE v_rest <> '' DO
        SET v_line = SUBSTRING_INDEX(v_rest, v_end_of_line, 1);
        SET a_done = LEAST(a_done,
            CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 2), ' ', -1) AS SIGNED));
        SET a_expires = LEAST(a_expires,
            CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1) AS SIGNED));
        SET v_rest = SUBSTRING(v_rest, CHAR_LENGTH(v_line) + 2);
    END WHILE;
END$$

DELIMITER ;
