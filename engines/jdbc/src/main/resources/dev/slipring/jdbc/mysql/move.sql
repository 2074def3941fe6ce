-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: a report and a claim in a lane whose state the caller knows.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_move *//*M! DO 0 */$$

-- Moves the back of a lane and a strand of it to where the caller says, if nobody has changed
-- anything behind that back since the caller saw it: slipring_gate.moves tells. The caller has
-- worked out what comes of its word and its claim. This only writes that down, which costs a server
-- a third of what slipring_claim does. Each row is found by its full key, so any isolation level
-- will do. Commits, and answers with one text, words between spaces:
--
--     outcome   moved; other: nothing was done, somebody else was here, or the lease has run out
--     now       the time
--     turn      how many slots the lane has had, if that was asked for
--     turns     how many the other lanes have had together
CREATE /*M! OR REPLACE */ PROCEDURE slipring_move(
    IN a_ring        BIGINT,
    IN a_lane        INT,
    IN a_stage       VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin,
    IN a_moves       BIGINT,  -- how often the back had moved when the caller saw it
    IN a_word_expires BIGINT, -- when the claim that is done runs out; null if there is no word
    IN a_look        INT,     -- 1 if it is to be asked how many slots there were
    IN a_gate        BIGINT,
    IN a_position    BIGINT,  -- where the oldest held slot begins
    IN a_turn        BIGINT,  -- its number
    IN a_freed       BIGINT,  -- how many bytes leave the ring
    IN a_claimed     BIGINT,
    IN a_done        BIGINT,
    IN a_high        BIGINT,
    IN a_epoch       BIGINT,
    IN a_anchor      BIGINT,
    IN a_anchor_turn BIGINT,
    IN a_expires     BIGINT,  -- when the first of the claims runs out that stay in hand
    IN a_claims      MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,  -- their lines
    IN a_lease       BIGINT,  -- how long the new claim lasts; null if there is none
    IN a_begin       TEXT CHARACTER SET ascii COLLATE ascii_bin,  -- its line up to when it runs out
    IN a_end         TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,  -- and what follows that
    IN a_from        BIGINT,  -- the number of the first slot that leaves the ring
    IN a_rows_0      BIGINT,  -- how many rows these have in each table of bodies
    IN a_rows_1      BIGINT,
    IN a_rows_2      BIGINT,
    IN a_rows_3      BIGINT)
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_free INT DEFAULT 0;
    DECLARE v_now, v_turn, v_turns BIGINT DEFAULT 0;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK AND NO CHAIN NO RELEASE;
        RESIGNAL;
    END;

    START TRANSACTION;
    work: BEGIN
        IF a_word_expires IS NULL THEN
            -- A claim leaves a lane alone that somebody has. A word waits for it, below.
            SELECT 1 INTO v_free FROM slipring_gate
                WHERE ring = a_ring AND lane = a_lane AND moves = a_moves FOR UPDATE SKIP LOCKED;
            IF NOT v_free THEN
                LEAVE work;
            END IF;
        END IF;
        UPDATE slipring_gate
            SET gate = a_gate, first_position = a_position, turn = a_turn, bytes = bytes + a_freed,
                moves = moves + 1
            WHERE ring = a_ring AND lane = a_lane AND moves = a_moves;
        IF ROW_COUNT() = 0 THEN
            LEAVE work;
        END IF;
        -- The time is taken under the lock, so that a wait for the lock counts.
        SET v_now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000;
        IF a_word_expires <= v_now OR a_lease IS NOT NULL AND a_expires <= v_now THEN
            -- The word is too late; or a claim has run out, and comes before what is new.
            LEAVE work;
        END IF;
        UPDATE slipring_strand
            SET claimed = a_claimed, done = a_done, high = a_high, last_epoch = a_epoch,
                anchor = a_anchor, anchor_turn = a_anchor_turn,
                expires = LEAST(a_expires, COALESCE(v_now + a_lease, a_expires)),
                claims = CONCAT_WS('', a_claims, a_begin, v_now + a_lease, a_end)
            WHERE ring = a_ring AND lane = a_lane AND stage = a_stage;
        IF ROW_COUNT() = 0 THEN
            -- Somebody has deleted the row.
            LEAVE work;
        END IF;
        IF a_rows_0 + a_rows_1 + a_rows_2 + a_rows_3 > 0 THEN
            CALL slipring_empty(
                a_ring, a_lane, a_from, a_turn - 1, a_rows_0, a_rows_1, a_rows_2, a_rows_3);
        END IF;
        COMMIT AND NO CHAIN NO RELEASE;
        SET v_outcome = 'moved';
        -- After the commit: a push that comes after this look wakes those who wait.
        IF a_look THEN
            SELECT SUM(IF(lane = a_lane, turn, 0)), SUM(IF(lane = a_lane, 0, turn))
                INTO v_turn, v_turns FROM slipring_lane WHERE ring = a_ring;
        END IF;
    END work;

    IF v_outcome <> 'moved' THEN
        ROLLBACK AND NO CHAIN NO RELEASE;
    END IF;
    SELECT CONCAT_WS(' ', v_outcome, v_now, COALESCE(v_turn, 0), COALESCE(v_turns, 0));
END$$

DELIMITER ;
