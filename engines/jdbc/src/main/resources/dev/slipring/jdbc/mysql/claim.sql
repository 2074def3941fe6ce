-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the usual claim as one call, together with the word on the one
-- before.
--
-- What is unusual - a lease that ran out, a retry that is due, a claim that was lost - it leaves to
-- the statements of the engine and changes nothing: 'other'.

DELIMITER $$

DROP PROCEDURE IF EXISTS slipring_claim$$

-- Claims what is new of one lane and commits. Answers with one row:
--
--     outcome   claimed, nothing, other
--     released, released_first, released_behind   messages and slots that left the ring
--     next_ms   in how many milliseconds the clock alone may bring something, if there is nothing
--     lane, epoch, from, to, expires              the claim
--     first_slot, last_slot, extents              the slots that it is in, and where they stand
CREATE PROCEDURE slipring_claim(
    IN a_ring       BIGINT,
    IN a_version    BIGINT,   -- of the shape that the caller goes by
    IN a_stage      VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin,
    IN a_follows    TEXT CHARACTER SET ascii COLLATE ascii_bin,  -- its ancestors, joined by commas
    IN a_ordered    INT,
    IN a_lease      BIGINT,   -- in milliseconds
    IN a_keep       BIGINT,   -- how many messages it may hold that are waiting or dead
    IN a_keep_bytes BIGINT,
    IN a_most       INT,      -- how many messages at most; 0 for the word alone
    IN a_most_bytes BIGINT,   -- how many bytes its slots may have
    IN a_left_out   BIGINT,   -- when to look again if somebody else has a lane
    IN a_worker     TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    IN a_done_lane  INT,      -- a claim that is wholly done; null if there is none
    IN a_done_epoch BIGINT)
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_taken, v_lanes, v_start, v_lane, v_place, v_has, v_skipped INT DEFAULT 0;
    DECLARE v_released, v_released_first, v_released_behind, v_next BIGINT DEFAULT 0;
    DECLARE v_version, v_now, v_epochs, v_waiting, v_kept, v_kept_bytes, v_expires, v_due BIGINT;
    DECLARE v_claimed, v_epoch, v_keeps, v_anchor, v_anchor_turn, v_limit, v_to BIGINT;
    DECLARE v_head, v_turn, v_cell, v_run, v_slots, v_first_slot, v_last_slot BIGINT;
    DECLARE v_first, v_last, v_end, v_bytes BIGINT;
    DECLARE v_extents TEXT CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE v_claims MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    work: BEGIN
        IF a_done_lane IS NOT NULL THEN
            CALL slipring_done(
                a_ring, a_version, a_done_lane, a_stage, a_done_epoch,
                v_taken, v_released, v_released_first, v_released_behind);
            IF NOT v_taken THEN
                LEAVE work;
            END IF;
        END IF;
        IF a_most = 0 THEN
            SET v_outcome = 'nothing';
            LEAVE work;
        END IF;

        -- What ran out, what is due and what stalls the stage is not for here.
        SELECT version, lanes, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
            INTO v_version, v_lanes, v_now FROM slipring_ring WHERE id = a_ring;
        SELECT SUM(last_epoch), SUM(waiting), SUM(waiting + dead), SUM(kept_bytes), MIN(expires)
            INTO v_epochs, v_waiting, v_kept, v_kept_bytes, v_expires
            FROM slipring_strand WHERE ring = a_ring AND stage = a_stage;
        SET v_due = 9223372036854775807;
        IF v_waiting > 0 THEN
            SELECT MIN(due) INTO v_due
                FROM slipring_aside WHERE ring = a_ring AND stage = a_stage AND state = 0;
            SET v_due = COALESCE(v_due, 0);
        END IF;
        IF v_version IS NULL OR v_version <> a_version OR v_epochs IS NULL
                OR v_kept >= a_keep OR v_kept_bytes >= a_keep_bytes
                OR v_waiting > 0 AND a_ordered OR LEAST(v_expires, v_due) <= v_now THEN
            LEAVE work;
        END IF;

        -- From each lane in turn; one that somebody else has is left out.
        SET v_start = MOD(v_epochs, v_lanes);
        SET v_place = -1;
        lanes: LOOP
            SET v_lane = NULL;
            SELECT s.lane, MOD(s.lane - v_start + v_lanes, v_lanes) INTO v_lane, v_place
                FROM slipring_strand s
                JOIN slipring_lane l ON l.ring = s.ring AND l.lane = s.lane
                WHERE s.ring = a_ring AND s.stage = a_stage AND s.claimed < l.head
                    AND (a_ordered = 0 OR s.claims = '')
                    AND (a_follows = '' OR s.claimed < (
                        SELECT MIN(f.high) FROM slipring_strand f
                        WHERE f.ring = s.ring AND f.lane = s.lane
                            AND FIND_IN_SET(f.stage, a_follows)))
                    AND MOD(s.lane - v_start + v_lanes, v_lanes) > v_place
                ORDER BY MOD(s.lane - v_start + v_lanes, v_lanes) LIMIT 1;
            IF v_lane IS NULL THEN
                LEAVE lanes;
            END IF;
            IF a_done_lane IS NULL OR v_lane <> a_done_lane THEN
                SET v_has = NULL;
                SELECT 1 INTO v_has FROM slipring_gate
                    WHERE ring = a_ring AND lane = v_lane FOR UPDATE SKIP LOCKED;
                IF v_has IS NULL THEN
                    SET v_skipped = 1;
                    ITERATE lanes;
                END IF;
            END IF;

            -- What was seen before the lock may have changed; nothing changes under it.
            SELECT l.head, l.turn, l.extents, r.version
                INTO v_head, v_turn, v_extents, v_version
                FROM slipring_lane l JOIN slipring_ring r ON r.id = l.ring
                WHERE l.ring = a_ring AND l.lane = v_lane;
            IF v_version <> a_version THEN
                LEAVE work;
            END IF;
            SELECT claimed, last_epoch, waiting, waiting + dead + dropped, anchor, anchor_turn,
                   claims
                INTO v_claimed, v_epoch, v_waiting, v_keeps, v_anchor, v_anchor_turn, v_claims
                FROM slipring_strand WHERE ring = a_ring AND lane = v_lane AND stage = a_stage;
            IF a_ordered AND v_waiting > 0 THEN
                -- It failed after the look above, and nothing may overtake it.
                LEAVE work;
            END IF;
            SET v_limit = v_head;
            IF a_follows <> '' THEN
                SELECT LEAST(v_head, MIN(high)), v_keeps + SUM(waiting + dead + dropped)
                    INTO v_limit, v_keeps FROM slipring_strand
                    WHERE ring = a_ring AND lane = v_lane AND FIND_IN_SET(stage, a_follows);
            END IF;
            SET v_to = LEAST(v_claimed + a_most, v_limit);
            IF v_to <= v_claimed OR a_ordered AND v_claims <> '' THEN
                ITERATE lanes;
            END IF;
            IF v_keeps > 0 AND EXISTS (
                    SELECT 1 FROM slipring_aside
                    WHERE ring = a_ring AND lane = v_lane
                        AND (stage = a_stage OR FIND_IN_SET(stage, a_follows))
                        AND position >= v_claimed AND position < v_to) THEN
                LEAVE work;
            END IF;

            -- The slots that it is in, up to the end of neighbouring cells.
            CALL slipring_extent(v_extents, v_anchor_turn, v_cell, v_run);
            SET v_run = LEAST(v_run, v_turn - v_anchor_turn, v_to - v_anchor);
            SELECT COUNT(*), MIN(turn), MAX(turn), MIN(first_position), MAX(first_position),
                   MAX(first_position + messages), SUM(size)
                INTO v_slots, v_first_slot, v_last_slot, v_first, v_last, v_end, v_bytes
                FROM slipring_slot
                WHERE ring = a_ring AND lane = v_lane AND cell >= v_cell AND cell < v_cell + v_run
                    AND turn >= v_anchor_turn AND first_position < v_to
                    AND first_position + messages > v_claimed;
            IF v_slots = 0 OR v_first > v_claimed OR v_last_slot - v_first_slot + 1 <> v_slots
                    OR v_bytes > a_most_bytes AND v_slots > 1 THEN
                LEAVE work;
            END IF;
            SET v_to = LEAST(v_to, v_end);
            SET v_epoch = v_epoch + 1;
            SET v_expires = v_now + a_lease;
            UPDATE slipring_strand
                SET claimed = v_to, last_epoch = v_epoch,
                    anchor = IF(v_to = v_end, v_end, v_last),
                    anchor_turn = IF(v_to = v_end, v_last_slot + 1, v_last_slot),
                    expires = LEAST(expires, v_expires),
                    claims = CONCAT(claims, v_epoch, ' ', v_claimed, ' ', v_to, ' 1 ', v_expires,
                        ' ', v_first_slot, ' - ', a_worker, '\n')
                WHERE ring = a_ring AND lane = v_lane AND stage = a_stage;
            IF a_done_lane IS NULL OR v_lane <> a_done_lane THEN
                UPDATE slipring_gate SET moves = moves + 1 WHERE ring = a_ring AND lane = v_lane;
            END IF;
            SET v_outcome = 'claimed';
            LEAVE work;
        END LOOP;
        SET v_outcome = 'nothing';
        SET v_next = IF(v_skipped, a_left_out, LEAST(v_expires, v_due));
        SET v_next = IF(v_skipped OR v_next = 9223372036854775807, v_next, v_next - v_now);
    END work;

    IF v_outcome = 'other' THEN
        ROLLBACK;
    ELSE
        COMMIT;
    END IF;
    SELECT v_outcome, v_released, v_released_first, v_released_behind, v_next,
           v_lane, v_epoch, v_claimed, v_to, v_expires, v_first_slot, v_last_slot, v_extents;
END$$

DELIMITER ;
