-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the usual claim as one call, together with the report on the
-- claim before it.
--
-- What is unusual is left to the statements of the engine: then the procedure changes nothing
-- and returns 'other'. Unusual are a lease that ran out, a retry that is due, a claim that was
-- lost, and a report while there are many claims.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_claim *//*M! DO 0 */$$

-- Takes the word that a whole claim is done, releases what every stage is done with, claims what is
-- new of one lane, and commits, each as far as it is asked. Answers with one text, words between
-- spaces:
--
--     outcome   claimed, nothing, left (nothing, but somebody else has a lane), other
--     released_first, released_behind             the slots that left the ring
--     next_ms   in how many milliseconds the clock alone may bring something
--     busy      how many lanes other than a_home have something for the stage: not claimed, in hand
--               or kept
--     turns     how many slots were ever pushed to those lanes
--     lane, epoch, from, to, expires              the claim, if there is one
--     first_slot, last_slot, extents              the slots that it is in, and where they stand
--
-- A lane is read once, when its back gets locked, and written once: a word and a claim in the same
-- lane are one change of its rows.
CREATE /*M! OR REPLACE */ PROCEDURE slipring_claim(
    IN a_ring       BIGINT,
    IN a_version    BIGINT,   -- of the shape that the caller goes by
    IN a_lanes      INT,      -- how many lanes that has, at most 62
    IN a_stages     INT,      -- and how many stages
    IN a_stage      VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin,
    IN a_follows    TEXT CHARACTER SET ascii COLLATE ascii_bin,  -- its ancestors, joined by commas
    IN a_ordered    INT,
    IN a_lease      BIGINT,   -- in milliseconds
    IN a_keep       BIGINT,   -- how many messages it may hold that are waiting or dead
    IN a_keep_bytes BIGINT,
    IN a_most       INT,      -- how many messages at most; 0 for the word alone
    IN a_most_bytes BIGINT,   -- how many bytes its slots may have
    IN a_worker     TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    IN a_done_lane  INT,      -- a claim that is wholly done; null if there is none
    IN a_done_epoch BIGINT,
    IN a_home       INT)      -- the lane that the caller pushes to; -1 if there is none
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_lane INT DEFAULT a_done_lane;
    DECLARE v_unsaid, v_skipped, v_looked, v_busy INT DEFAULT 0;
    DECLARE v_released_first, v_released_behind, v_next, v_turns BIGINT DEFAULT 0;
    DECLARE v_version, v_now, v_head, v_turn, v_gate, v_position, v_oldest, v_bytes BIGINT;
    DECLARE v_claimed, v_done, v_high, v_epoch, v_keeps, v_in_front, v_waiting, v_dropped BIGINT;
    DECLARE v_anchor, v_anchor_turn, v_expires, v_start, v_to, v_limit BIGINT;
    DECLARE v_all_waiting, v_all_kept, v_all_bytes, v_all_expires BIGINT;
    DECLARE v_cell, v_run, v_slots, v_size, v_first_slot, v_last_slot, v_first, v_end BIGINT;
    DECLARE v_rows_0, v_rows_1, v_rows_2, v_rows_3 BIGINT;
    DECLARE v_last, v_place, v_pieces, v_done_expires BIGINT;
    DECLARE v_due BIGINT DEFAULT 9223372036854775807;
    DECLARE v_ready BIGINT UNSIGNED DEFAULT 0;
    DECLARE v_extents, v_names TEXT CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE v_name VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin;
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
        IF a_done_lane IS NOT NULL THEN
            SELECT g.gate, g.first_position, g.turn, g.bytes, s.claimed, s.done, s.high,
                   s.last_epoch, s.waiting, s.waiting + s.dead + s.dropped, s.dropped, s.anchor,
                   s.anchor_turn, s.claims
                INTO v_gate, v_position, v_oldest, v_bytes, v_claimed, v_done, v_high,
                     v_epoch, v_waiting, v_keeps, v_dropped, v_anchor, v_anchor_turn, v_claims
                FROM slipring_gate g JOIN slipring_strand s ON s.ring = g.ring AND s.lane = g.lane
                WHERE g.ring = a_ring AND g.lane = a_done_lane AND s.stage = a_stage FOR UPDATE;
            -- With many claims in hand the ledger reads them faster: here each line costs as much
            -- as all lines that follow it.
            IF LENGTH(v_claims) > 8000 THEN
                LEAVE work;
            END IF;
            -- The claim is a line; it must be there.
            SET v_place = LOCATE(CONCAT(v_end_of_line, a_done_epoch, ' '),
                CONCAT(v_end_of_line, v_claims));
            IF v_claims IS NULL OR v_place = 0 THEN
                LEAVE work;
            END IF;
            SET v_line = SUBSTRING_INDEX(SUBSTRING(v_claims, v_place), v_end_of_line, 1);
            SET v_claims = INSERT(v_claims, v_place, CHAR_LENGTH(v_line) + 1, '');
            SET v_done_expires = SUBSTRING_INDEX(SUBSTRING_INDEX(v_line, ' ', 5), ' ', -1);

            -- Done goes up to the lowest of the claims that are left.
            SET v_limit = v_done;
            SET v_done = v_claimed;
            SET v_expires = 9223372036854775807;
            IF v_claims <> '' THEN
                CALL slipring_lowest(v_claims, v_done, v_expires);
            END IF;
        END IF;

        -- The time is taken under the lock, so that a wait for the lock counts. What ran out, what
        -- is due and what stalls the stage is not for this procedure. Which lanes have something
        -- new is a set of bits.
        IF a_most = 0 THEN
            SELECT r.version, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000,
                   l.head, l.turn, l.extents
                INTO v_version, v_now, v_head, v_turn, v_extents
                FROM slipring_ring r JOIN slipring_lane l ON l.ring = r.id
                WHERE r.id = a_ring AND l.lane = a_done_lane;
        ELSE
            SELECT MAX(r.version), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3))
                       DIV 1000,
                   MAX(IF(l.lane = a_done_lane, l.head, 0)),
                   MAX(IF(l.lane = a_done_lane, l.turn, 0)),
                   MAX(IF(l.lane = a_done_lane, l.extents, '')),
                   IF(COUNT(*) = a_lanes, MOD(SUM(s.last_epoch), a_lanes), NULL),
                   SUM(s.waiting), SUM(s.waiting + s.dead), SUM(s.kept_bytes),
                   MIN(IF(s.lane <=> a_done_lane, v_expires, s.expires)),
                   BIT_OR(IF(s.claimed < l.head
                       AND (a_ordered = 0 OR IF(s.lane <=> a_done_lane, v_claims, s.claims) = '')
                       AND (a_follows = '' OR s.claimed < (
                           SELECT MIN(f.high) FROM slipring_strand f
                           WHERE f.ring = s.ring AND f.lane = s.lane
                               AND FIND_IN_SET(f.stage, a_follows))), 1 << s.lane, 0)),
                   SUM(l.lane <> a_home
                       AND (s.claimed < l.head OR s.claims <> '' OR s.waiting + s.dead > 0)),
                   SUM(IF(l.lane = a_home, 0, l.turn))
                INTO v_version, v_now, v_head, v_turn, v_extents, v_start, v_all_waiting,
                     v_all_kept, v_all_bytes, v_all_expires, v_ready, v_busy, v_turns
                FROM slipring_ring r
                JOIN slipring_strand s ON s.ring = r.id
                JOIN slipring_lane l ON l.ring = s.ring AND l.lane = s.lane
                WHERE r.id = a_ring AND s.stage = a_stage;
            IF v_all_waiting > 0 THEN
                SELECT MIN(due) INTO v_due
                    FROM slipring_aside WHERE ring = a_ring AND stage = a_stage AND state = 0;
                SET v_due = COALESCE(v_due, 0);
            END IF;
            IF v_start IS NULL OR v_all_kept >= a_keep OR v_all_bytes >= a_keep_bytes
                    OR v_all_waiting > 0 AND a_ordered
                    OR LEAST(v_all_expires, v_due) <= v_now THEN
                LEAVE work;
            END IF;
            SET v_next = LEAST(v_all_expires, v_due);
            SET v_next = IF(v_next = 9223372036854775807, v_next, v_next - v_now);
            -- The lane whose turn it is becomes the lowest bit.
            SET v_ready = ((v_ready >> v_start) | (v_ready << (a_lanes - v_start)))
                & ((1 << a_lanes) - 1);
        END IF;
        IF v_version IS NULL OR v_version <> a_version THEN
            LEAVE work;
        END IF;

        IF a_done_lane IS NOT NULL THEN
            IF v_done_expires <= v_now THEN
                LEAVE work;
            END IF;
            SET v_high = GREATEST(v_high, v_done);
            SET v_released_first = v_oldest;
            IF v_done <> v_limit THEN
                SET v_to = v_done;
                IF a_stages > 1 THEN
                    SELECT MIN(IF(stage = a_stage, v_done, done)), SUM(dropped)
                        INTO v_to, v_dropped
                        FROM slipring_strand WHERE ring = a_ring AND lane = a_done_lane;
                END IF;
                IF v_to < v_gate OR v_dropped > 0 THEN
                    LEAVE work;
                END IF;
                IF v_to > v_gate THEN
                    SET v_gate = v_to;
                    lap: WHILE v_position < v_to AND v_oldest < v_turn DO
                        -- Slots wholly below it, up to the end of neighbouring cells.
                        IF LOCATE(',', v_extents) = 0 THEN
                            SET v_run = SUBSTRING_INDEX(v_extents, ':', -1);
                            SET v_cell = MOD(v_oldest
                                - CAST(SUBSTRING_INDEX(v_extents, ':', 1) AS SIGNED), v_run);
                            SET v_run = v_run - v_cell;
                            SET v_cell = v_cell + CAST(SUBSTRING_INDEX(
                                SUBSTRING_INDEX(v_extents, ':', 2), ':', -1) AS SIGNED);
                        ELSE
                            CALL slipring_extent(v_extents, v_oldest, v_cell, v_run);
                        END IF;
                        SET v_run = LEAST(v_run, v_turn - v_oldest, v_to - v_position);
                        SELECT COUNT(*), MAX(turn), MAX(first_position + messages), SUM(size),
                               SUM(pieces), SUM(IF(MOD(turn, 4) = 0, pieces, 0)),
                               SUM(IF(MOD(turn, 4) = 1, pieces, 0)),
                               SUM(IF(MOD(turn, 4) = 2, pieces, 0)),
                               SUM(IF(MOD(turn, 4) = 3, pieces, 0))
                            INTO v_slots, v_last_slot, v_end, v_size, v_pieces, v_rows_0, v_rows_1,
                                 v_rows_2, v_rows_3
                            FROM slipring_slot
                            WHERE ring = a_ring AND lane = a_done_lane AND cell >= v_cell
                                AND cell < v_cell + v_run AND turn >= v_oldest
                                AND first_position + messages <= v_to;
                        IF v_slots = 0 THEN
                            LEAVE lap;
                        END IF;
                        IF v_last_slot - v_oldest + 1 <> v_slots THEN
                            -- A slot is not where it should be.
                            LEAVE work;
                        END IF;
                        IF v_pieces > 0 THEN
                            CALL slipring_empty(a_ring, a_done_lane, v_oldest, v_last_slot,
                                v_rows_0, v_rows_1, v_rows_2, v_rows_3);
                        END IF;
                        SET v_oldest = v_last_slot + 1;
                        SET v_position = v_end;
                        SET v_bytes = v_bytes + v_size;
                        IF v_slots < v_run THEN
                            LEAVE lap;
                        END IF;
                    END WHILE;
                END IF;
            END IF;
            SET v_released_behind = v_oldest;
            SET v_unsaid = 1;
        END IF;

        lanes: LOOP
            IF NOT v_looked THEN
                SET v_looked = 1;
            ELSE
                SET v_ready = v_ready & (v_ready - 1);
            END IF;
            IF v_ready = 0 THEN
                LEAVE lanes;
            END IF;
            SET v_place = MOD(v_start + BIT_COUNT((v_ready - 1) & ~v_ready), a_lanes);

            IF NOT v_unsaid OR v_place <> v_lane THEN
                IF v_unsaid THEN
                    UPDATE slipring_strand
                        SET done = v_done, high = v_high, claims = v_claims, expires = v_expires
                        WHERE ring = a_ring AND lane = v_lane AND stage = a_stage;
                    UPDATE slipring_gate
                        SET gate = v_gate, first_position = v_position, turn = v_oldest,
                            bytes = v_bytes, moves = moves + 1
                        WHERE ring = a_ring AND lane = v_lane;
                    SET v_unsaid = 0;
                END IF;
                -- Claims from this lane; a lane that somebody else has is left out.
                SET v_lane = v_place;
                SET v_claims = NULL;
                SELECT g.gate, g.first_position, g.turn, g.bytes, s.claimed, s.done, s.high,
                       s.last_epoch, s.waiting, s.waiting + s.dead + s.dropped, s.anchor,
                       s.anchor_turn, s.expires, s.claims
                    INTO v_gate, v_position, v_oldest, v_bytes, v_claimed, v_done, v_high,
                         v_epoch, v_waiting, v_keeps, v_anchor, v_anchor_turn, v_expires, v_claims
                    FROM slipring_gate g
                    JOIN slipring_strand s ON s.ring = g.ring AND s.lane = g.lane
                    WHERE g.ring = a_ring AND g.lane = v_lane AND s.stage = a_stage
                    FOR UPDATE SKIP LOCKED;
                IF v_claims IS NULL THEN
                    -- By a statement of its own: within an IF, MariaDB waits for the transaction
                    -- that keeps it.
                    SELECT COUNT(*) INTO v_slots
                        FROM slipring_gate WHERE ring = a_ring AND lane = v_lane;
                    IF v_slots = 0 THEN
                        LEAVE work; -- It is not kept but lost.
                    END IF;
                    SET v_skipped = 1;
                    ITERATE lanes;
                END IF;
                -- What was seen before the lock may have changed. Under the lock nothing changes.
                SELECT r.version, l.head, l.turn, l.extents
                    INTO v_version, v_head, v_turn, v_extents
                    FROM slipring_ring r JOIN slipring_lane l ON l.ring = r.id
                    WHERE r.id = a_ring AND l.lane = v_lane;
                IF v_version <> a_version THEN
                    LEAVE work;
                END IF;
            END IF;
            IF a_ordered AND v_waiting > 0 THEN
                -- A message failed after the look above, and nothing may overtake it.
                LEAVE work;
            END IF;
            SET v_limit = v_head;
            IF a_follows <> '' THEN
                SELECT LEAST(v_head, MIN(high)), v_keeps + SUM(waiting + dead + dropped), COUNT(*)
                    INTO v_limit, v_keeps, v_in_front FROM slipring_strand
                    WHERE ring = a_ring AND lane = v_lane AND FIND_IN_SET(stage, a_follows);
                IF v_in_front <= LENGTH(a_follows) - LENGTH(REPLACE(a_follows, ',', '')) THEN
                    LEAVE work; -- It is lost how far one of them is.
                END IF;
            END IF;
            SET v_to = LEAST(v_claimed + a_most, v_limit);
            IF v_to <= v_claimed OR a_ordered AND v_claims <> '' THEN
                ITERATE lanes;
            END IF;
            IF v_keeps > 0 THEN
                -- One stage after the other, each a piece of the key: in one statement all that is
                -- kept of the lane would be read.
                SET v_names = CONCAT_WS(',', a_stage, NULLIF(a_follows, ''));
                WHILE v_names <> '' DO
                    SET v_name = SUBSTRING_INDEX(v_names, ',', 1);
                    SELECT COUNT(*) INTO v_slots FROM slipring_aside
                        WHERE ring = a_ring AND lane = v_lane AND stage = v_name
                            AND position >= v_claimed AND position < v_to;
                    IF v_slots > 0 THEN
                        LEAVE work;
                    END IF;
                    SET v_names = SUBSTRING(v_names, CHAR_LENGTH(v_name) + 2);
                END WHILE;
            END IF;

            -- The slots of the claim, up to the end of neighbouring cells.
            IF LOCATE(',', v_extents) = 0 THEN
                SET v_run = SUBSTRING_INDEX(v_extents, ':', -1);
                SET v_cell = MOD(
                    v_anchor_turn - CAST(SUBSTRING_INDEX(v_extents, ':', 1) AS SIGNED), v_run);
                SET v_run = v_run - v_cell;
                SET v_cell = v_cell + CAST(SUBSTRING_INDEX(
                    SUBSTRING_INDEX(v_extents, ':', 2), ':', -1) AS SIGNED);
            ELSE
                CALL slipring_extent(v_extents, v_anchor_turn, v_cell, v_run);
            END IF;
            SET v_run = LEAST(v_run, v_turn - v_anchor_turn, v_to - v_anchor);
            SELECT COUNT(*), MIN(turn), MAX(turn), MIN(first_position), MAX(first_position),
                   MAX(first_position + messages), SUM(size)
                INTO v_slots, v_first_slot, v_last_slot, v_first, v_last, v_end, v_size
                FROM slipring_slot
                WHERE ring = a_ring AND lane = v_lane AND cell >= v_cell AND cell < v_cell + v_run
                    AND turn >= v_anchor_turn AND first_position < v_to
                    AND first_position + messages > v_claimed;
            IF v_slots = 0 OR v_first > v_claimed OR v_last_slot - v_first_slot + 1 <> v_slots
                    OR v_size > a_most_bytes AND v_slots > 1 THEN
                LEAVE work;
            END IF;
            SET v_to = LEAST(v_to, v_end);
            SET v_due = v_now + a_lease;
            UPDATE slipring_strand
                SET claimed = v_to, done = v_done, high = v_high, last_epoch = v_epoch + 1,
                    anchor = IF(v_to = v_end, v_end, v_last),
                    anchor_turn = IF(v_to = v_end, v_last_slot + 1, v_last_slot),
                    expires = LEAST(v_expires, v_due),
                    claims = CONCAT(v_claims, v_epoch + 1, ' ', v_claimed, ' ', v_to, ' 1 ', v_due,
                        ' ', v_first_slot, ' - ', a_worker, v_end_of_line)
                WHERE ring = a_ring AND lane = v_lane AND stage = a_stage;
            UPDATE slipring_gate
                SET gate = v_gate, first_position = v_position, turn = v_oldest, bytes = v_bytes,
                    moves = moves + 1
                WHERE ring = a_ring AND lane = v_lane;
            COMMIT AND NO CHAIN NO RELEASE;
            SET v_outcome = 'claimed';
            LEAVE work;
        END LOOP;

        IF v_unsaid THEN
            UPDATE slipring_strand
                SET done = v_done, high = v_high, claims = v_claims, expires = v_expires
                WHERE ring = a_ring AND lane = v_lane AND stage = a_stage;
            UPDATE slipring_gate
                SET gate = v_gate, first_position = v_position, turn = v_oldest, bytes = v_bytes,
                    moves = moves + 1
                WHERE ring = a_ring AND lane = v_lane;
        END IF;
        COMMIT AND NO CHAIN NO RELEASE;
        SET v_outcome = IF(v_skipped, 'left', 'nothing');
    END work;

    IF v_outcome = 'other' THEN
        ROLLBACK AND NO CHAIN NO RELEASE;
    END IF;
    SELECT CONCAT_WS(' ', v_outcome, v_released_first, v_released_behind, COALESCE(v_next, 0),
        COALESCE(v_busy, 0), COALESCE(v_turns, 0), v_lane, v_epoch + 1, v_claimed, v_to,
        v_due, v_first_slot, v_last_slot, v_extents);
END$$

DELIMITER ;
