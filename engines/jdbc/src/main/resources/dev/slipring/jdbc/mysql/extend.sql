-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the extension of a claim as one call. Nobody has the lane for as
-- long as a round trip takes.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_extend *//*M! DO 0 */$$

-- Begins the lease of a claim anew, and commits. Answers with one text, words between spaces:
--
--     outcome   extended; kept: somebody else has the lane; other: nothing was done
--     first, end, settled                         of the claim, as its line has them
CREATE /*M! OR REPLACE */ PROCEDURE slipring_extend(
    IN a_ring    BIGINT,
    IN a_version BIGINT,  -- of the shape that the caller goes by
    IN a_lane    INT,
    IN a_stage   VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin,
    IN a_epoch   BIGINT,  -- the claim
    IN a_lease   BIGINT,  -- in milliseconds
    IN a_wait    INT)     -- 1 to wait for whoever has the lane
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_mine, v_there INT DEFAULT 0;
    DECLARE v_version, v_now, v_place, v_old, v_expires BIGINT;
    DECLARE v_done BIGINT DEFAULT 0;
    DECLARE v_claims, v_line MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
    -- What a backslash means was settled by the session in which the procedure was made.
    DECLARE v_end_of_line CHAR(1) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
        DEFAULT CHAR(10 USING utf8mb4);
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK AND NO CHAIN NO RELEASE;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    work: BEGIN
        IF a_wait THEN
            SELECT 1 INTO v_mine FROM slipring_gate
                WHERE ring = a_ring AND lane = a_lane FOR UPDATE;
        ELSE
            SELECT 1 INTO v_mine FROM slipring_gate
                WHERE ring = a_ring AND lane = a_lane FOR UPDATE SKIP LOCKED;
        END IF;
        IF NOT v_mine THEN
            SELECT COUNT(*) INTO v_there
                FROM slipring_gate WHERE ring = a_ring AND lane = a_lane;
            SET v_outcome = IF(v_there, 'kept', 'other');
            LEAVE work;
        END IF;
        -- The time is taken under the lock, so that a wait for the lock counts.
        SELECT r.version, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
               s.expires, s.claims
            INTO v_version, v_now, v_expires, v_claims
            FROM slipring_ring r JOIN slipring_strand s ON s.ring = r.id
            WHERE r.id = a_ring AND s.lane = a_lane AND s.stage = a_stage;
        IF v_version IS NULL OR v_version <> a_version THEN
            LEAVE work;
        END IF;

        SET v_place = LOCATE(CONCAT(v_end_of_line, a_epoch, ' '), CONCAT(v_end_of_line, v_claims));
        IF v_place = 0 THEN
            LEAVE work;
        END IF;
        SET v_line = SUBSTRING_INDEX(SUBSTRING(v_claims, v_place), v_end_of_line, 1);
        SET v_old = SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1);
        IF v_old <= v_now THEN
            LEAVE work;
        END IF;
        SET v_claims = INSERT(v_claims, v_place, CHAR_LENGTH(v_line),
            CONCAT(SUBSTRING_INDEX(v_line, ' ', 4), ' ', v_now + a_lease,
                SUBSTRING(v_line, CHAR_LENGTH(SUBSTRING_INDEX(v_line, ' ', 5)) + 1)));
        IF v_old = v_expires THEN
            -- With many claims in hand the ledger reads them faster.
            IF LENGTH(v_claims) > 8000 THEN
                LEAVE work;
            END IF;
            SET v_expires = 9223372036854775807;
            CALL slipring_lowest(v_claims, v_done, v_expires);
        END IF;
        UPDATE slipring_strand
            SET claims = v_claims, expires = LEAST(v_expires, v_now + a_lease)
            WHERE ring = a_ring AND lane = a_lane AND stage = a_stage;
        UPDATE slipring_gate SET moves = moves + 1 WHERE ring = a_ring AND lane = a_lane;
        COMMIT AND NO CHAIN NO RELEASE;
        SET v_outcome = 'extended';
    END work;

    IF v_outcome <> 'extended' THEN
        ROLLBACK AND NO CHAIN NO RELEASE;
        SET v_line = '';
    END IF;
    SELECT CONCAT_WS(' ', v_outcome, SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 3), ' ', -2),
        SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 7), ' ', -1));
END$$

DELIMITER ;
