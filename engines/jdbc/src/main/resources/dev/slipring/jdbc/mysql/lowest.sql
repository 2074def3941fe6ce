-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: what the claims in hand of a strand say about it.

DELIMITER $$

DROP PROCEDURE IF EXISTS slipring_lowest$$

-- How far a strand is done and when the first of its claims runs out, by its claims in hand.
CREATE PROCEDURE slipring_lowest(
    IN    a_claims  MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    INOUT a_done    BIGINT,   -- not above this
    INOUT a_expires BIGINT)   -- not after this
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_rest, v_line MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

    SET v_rest = a_claims;
    WHILE v_rest <> '' DO
        SET v_line = SUBSTRING_INDEX(v_rest, '\n', 1);
        SET a_done = LEAST(a_done,
            CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 2), ' ', -1) AS SIGNED));
        SET a_expires = LEAST(a_expires,
            CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1) AS SIGNED));
        SET v_rest = SUBSTRING(v_rest, CHAR_LENGTH(v_line) + 2);
    END WHILE;
END$$

DELIMITER ;
