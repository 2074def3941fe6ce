-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the usual word on a claim, inside of slipring_claim.

DELIMITER $$

DROP PROCEDURE IF EXISTS slipring_release$$

-- Releases the slots of a lane that lie wholly below a position. The caller has the back.
CREATE PROCEDURE slipring_release(
    IN    a_ring     BIGINT,
    IN    a_lane     INT,
    IN    a_below    BIGINT,   -- the position
    INOUT a_position BIGINT,   -- where the oldest held slot begins
    INOUT a_turn     BIGINT,   -- its number
    INOUT a_bytes    BIGINT,   -- how many bytes were ever released
    OUT   a_broken   INT)      -- 1 if a slot is not where it should be
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_extents TEXT CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE v_head, v_cell, v_run, v_slots, v_last, v_end, v_bytes, v_pieces BIGINT;

    SET a_broken = 0;
    SELECT turn, extents INTO v_head, v_extents
        FROM slipring_lane WHERE ring = a_ring AND lane = a_lane;
    lap: WHILE a_position < a_below AND a_turn < v_head DO
        CALL slipring_extent(v_extents, a_turn, v_cell, v_run);
        SET v_run = LEAST(v_run, v_head - a_turn, a_below - a_position);
        SELECT COUNT(*), MAX(turn), MAX(first_position + messages), SUM(size), SUM(pieces)
            INTO v_slots, v_last, v_end, v_bytes, v_pieces
            FROM slipring_slot
            WHERE ring = a_ring AND lane = a_lane AND cell >= v_cell AND cell < v_cell + v_run
                AND turn >= a_turn AND first_position + messages <= a_below;
        IF v_slots = 0 THEN
            LEAVE lap;
        END IF;
        IF v_last - a_turn + 1 <> v_slots THEN
            SET a_broken = 1;
            LEAVE lap;
        END IF;
        IF v_pieces > 0 THEN
            -- Table k has slots of the run if one of the first four of them goes there.
            IF MOD(4 - MOD(a_turn, 4), 4) < v_slots THEN
                DELETE FROM slipring_content_0
                    WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_turn AND v_last;
            END IF;
            IF MOD(5 - MOD(a_turn, 4), 4) < v_slots THEN
                DELETE FROM slipring_content_1
                    WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_turn AND v_last;
            END IF;
            IF MOD(6 - MOD(a_turn, 4), 4) < v_slots THEN
                DELETE FROM slipring_content_2
                    WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_turn AND v_last;
            END IF;
            IF MOD(7 - MOD(a_turn, 4), 4) < v_slots THEN
                DELETE FROM slipring_content_3
                    WHERE ring = a_ring AND lane = a_lane AND turn BETWEEN a_turn AND v_last;
            END IF;
        END IF;
        SET a_turn = v_last + 1;
        SET a_position = v_end;
        SET a_bytes = a_bytes + v_bytes;
        IF v_slots < v_run THEN
            LEAVE lap;
        END IF;
    END WHILE;
END$$

DROP PROCEDURE IF EXISTS slipring_done$$

-- Takes the word that a whole claim is done, and releases what every stage is done with. Keeps the
-- back of the lane. The caller commits, or rolls back if it was not taken.
CREATE PROCEDURE slipring_done(
    IN  a_ring     BIGINT,
    IN  a_version  BIGINT,   -- of the shape that the caller goes by
    IN  a_lane     INT,
    IN  a_stage    VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin,
    IN  a_epoch    BIGINT,
    OUT a_taken    INT,      -- 0 if it has to be looked at more closely
    OUT a_released BIGINT,   -- how many messages left the ring
    OUT a_first    BIGINT,   -- the first slot that was released
    OUT a_last     BIGINT)   -- the one behind the last
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_version, v_now, v_gate, v_position, v_turn, v_bytes BIGINT;
    DECLARE v_claimed, v_was, v_done, v_from, v_expires, v_first_expires, v_lowest BIGINT;
    DECLARE v_at, v_dropped, v_broken INT DEFAULT 0;
    DECLARE v_claims, v_rest, v_line MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

    SET a_taken = 0;
    SET a_released = 0;
    work: BEGIN
        SELECT gate, first_position, turn, bytes INTO v_gate, v_position, v_turn, v_bytes
            FROM slipring_gate WHERE ring = a_ring AND lane = a_lane FOR UPDATE;
        SET a_first = v_turn;
        SET a_last = v_turn;
        SELECT version, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
            INTO v_version, v_now FROM slipring_ring WHERE id = a_ring;
        SELECT claimed, done, claims INTO v_claimed, v_was, v_claims
            FROM slipring_strand WHERE ring = a_ring AND lane = a_lane AND stage = a_stage;
        IF v_version IS NULL OR v_version <> a_version OR v_claims IS NULL THEN
            LEAVE work;
        END IF;

        -- The claim is a line; it must be there, and its lease must last.
        SET v_at = LOCATE(CONCAT('\n', a_epoch, ' '), CONCAT('\n', v_claims));
        SET v_line = SUBSTRING_INDEX(SUBSTRING(v_claims, v_at), '\n', 1);
        SET v_expires = IF(v_at = 0, 0,
            CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1) AS SIGNED));
        IF v_expires <= v_now THEN
            LEAVE work;
        END IF;
        SET v_claims = INSERT(v_claims, v_at, CHAR_LENGTH(v_line) + 1, '');

        -- Done goes up to the lowest of the claims that are left.
        SET v_done = v_claimed;
        SET v_first_expires = 9223372036854775807;
        SET v_rest = v_claims;
        WHILE v_rest <> '' DO
            SET v_line = SUBSTRING_INDEX(v_rest, '\n', 1);
            SET v_from = SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 2), ' ', -1);
            SET v_expires = SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1);
            SET v_done = LEAST(v_done, v_from);
            SET v_first_expires = LEAST(v_first_expires, v_expires);
            SET v_rest = SUBSTRING(v_rest, CHAR_LENGTH(v_line) + 2);
        END WHILE;
        UPDATE slipring_strand
            SET done = v_done, high = GREATEST(high, v_done), claims = v_claims,
                expires = v_first_expires
            WHERE ring = a_ring AND lane = a_lane AND stage = a_stage;

        IF v_done <> v_was THEN
            SELECT MIN(done), SUM(dropped) INTO v_lowest, v_dropped
                FROM slipring_strand WHERE ring = a_ring AND lane = a_lane;
            IF v_lowest < v_gate OR v_dropped > 0 THEN
                LEAVE work;
            END IF;
            SET a_released = v_lowest - v_gate;
            IF v_lowest > v_gate THEN
                CALL slipring_release(
                    a_ring, a_lane, v_lowest, v_position, v_turn, v_bytes, v_broken);
            END IF;
            IF v_broken THEN
                LEAVE work;
            END IF;
            SET a_last = v_turn;
        END IF;
        UPDATE slipring_gate
            SET gate = v_gate + a_released, first_position = v_position, turn = v_turn,
                bytes = v_bytes, moves = moves + 1
            WHERE ring = a_ring AND lane = a_lane;
        SET a_taken = 1;
    END work;
END$$

DELIMITER ;
