-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the usual push as one call.
--
-- Pushes one slot into one lane. What is unusual is left to the statements of the engine: then
-- the procedure changes nothing and returns 'other'. A user who may not create or call
-- procedures loses only speed.

DELIMITER $$

/*!80000 DROP PROCEDURE IF EXISTS slipring_push *//*M! DO 0 */$$

-- Appends a slot and commits. Answers with one text, words between spaces, which costs a server
-- and a client less than a column for each:
--
--     outcome   pushed, again (the producer had pushed this number before), full, other
--     tight     1 if there is little room left, so that pushes need all lanes
--     lane, first_position, turn, now   of the slot, if it was pushed
--     free_messages, free_bytes         how much room there was, if it is full
--     left, left_bytes, spare, from, cell, cells
--                                       how much may follow it into the lane without a look: in
--                                       messages, bytes and slots, and where these go: slot
--                                       number n into cell + (n - from) % cells; zeros, and no
--                                       from, cell and cells, if there was no look at all
--
-- A client that pushed the last slot of a lane, and pushes to it again before anybody else has,
-- says so (turn, cell). It is spared the look at the other lanes as long as the lane has room of
-- its own: a share of the ring that a look gave it, slipring_lane.room. All shares together are
-- found free before one is given, so the ring cannot overflow. A push that has locked all lanes
-- takes the shares back.
--
-- A statement costs 10 times what its few rows do, and a variable a tenth of a statement; so there
-- are as few as can be.
--
-- A server puts the values of a procedure's variables into the text of each statement that uses
-- them, as if somebody could ask for that text. A large body therefore comes in the session's
-- variable slipring_body, set by the call before this one.
CREATE /*M! OR REPLACE */ PROCEDURE slipring_push(
    IN a_ring     BIGINT,
    IN a_version  BIGINT,   -- of the shape that the caller goes by
    IN a_lanes    INT,      -- how many lanes that has
    IN a_lane     INT,      -- the lane that it is to go to
    IN a_anywhere INT,      -- 1 if another lane will do
    IN a_tight    INT,      -- 1 if the ring was short of room when it was last pushed to
    IN a_turn     BIGINT,   -- the number of its next slot, if the lane is as the caller left it
    IN a_cell     BIGINT,   -- and the cell of that
    IN a_producer BIGINT,   -- 0 if nobody will ask
    IN a_number   BIGINT,
    IN a_messages INT,
    IN a_size     INT,      -- how long the body is
    IN a_body     VARBINARY(3000))  -- the body; null if it is in slipring_body
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_lane INT DEFAULT a_lane;
    DECLARE v_all INT DEFAULT a_tight;
    DECLARE v_known INT DEFAULT a_turn IS NOT NULL;
    DECLARE v_tight, v_tries INT DEFAULT 0;
    DECLARE v_version, v_messages, v_bytes, v_held, v_held_bytes, v_oldest, v_now BIGINT;
    DECLARE v_head, v_turn, v_from, v_cell, v_cells, v_second, v_place BIGINT;
    DECLARE v_sent, v_share, v_share_bytes, v_given, v_room, v_room_bytes BIGINT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK AND NO CHAIN NO RELEASE;
        RESIGNAL;
    END;

    work: LOOP
        IF v_known THEN
            SET v_known = 0;
            START TRANSACTION;
            SELECT head, turn, a_cell,
                   TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
                INTO v_head, v_turn, v_place, v_now
                FROM slipring_lane
                WHERE ring = a_ring AND lane = a_lane AND turn = a_turn
                    AND room >= head + a_messages AND room_bytes >= bytes + a_size
                FOR UPDATE SKIP LOCKED;
            IF v_head IS NULL THEN
                ROLLBACK AND NO CHAIN NO RELEASE;
                ITERATE work;
            END IF;
        ELSE
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
            START TRANSACTION;
            IF v_all THEN
                -- In the order of the lanes, so that two pushes that do so do not wait for each
                -- other.
                SELECT COUNT(*) INTO v_tries FROM slipring_lane WHERE ring = a_ring FOR UPDATE;
                SET v_tries = 0;
                SET v_lane = a_lane;
                SET v_head = NULL;
            END IF;

            -- The front of the lane, or of the next one that is free, with its last extent and the
            -- number where its second extent begins.
            front: LOOP
                SELECT head, turn, bytes,
                       SUBSTRING_INDEX(SUBSTRING_INDEX(extents, ',', -1), ':', 1),
                       SUBSTRING_INDEX(SUBSTRING_INDEX(extents, ':', -2), ':', 1),
                       SUBSTRING_INDEX(extents, ':', -1),
                       IF(LOCATE(',', extents) = 0, 9223372036854775807, SUBSTRING_INDEX(
                           SUBSTRING_INDEX(SUBSTRING_INDEX(extents, ',', 2), ',', -1), ':', 1))
                    INTO v_head, v_turn, v_sent, v_from, v_cell, v_cells, v_second
                    FROM slipring_lane WHERE ring = a_ring AND lane = v_lane FOR UPDATE SKIP LOCKED;
                IF v_head IS NOT NULL OR v_tries > a_lanes THEN
                    LEAVE front;
                END IF;
                SET v_tries = v_tries + 1;
                IF a_anywhere AND v_tries < a_lanes THEN
                    SET v_lane = MOD(v_lane + 1, a_lanes);
                ELSE
                    -- All lanes are taken; this waits for the first.
                    SET v_lane = a_lane;
                    SELECT COUNT(*) INTO v_tries
                        FROM slipring_lane WHERE ring = a_ring AND lane = v_lane FOR UPDATE;
                    SET v_tries = a_lanes + 1;
                END IF;
            END LOOP;

            -- Nobody changes the shape of a ring while somebody has a front of it. One statement
            -- sees one state, so in it no more is released than was pushed.
            SELECT MAX(r.version), MAX(r.messages), MAX(r.bytes), SUM(l.head - g.gate),
                   SUM(l.bytes - g.bytes), SUM(IF(l.lane = v_lane, g.turn, 0)), MAX(l.room),
                   TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
                INTO v_version, v_messages, v_bytes, v_held, v_held_bytes, v_oldest, v_given, v_now
                FROM slipring_ring r
                JOIN slipring_lane l ON l.ring = r.id
                JOIN slipring_gate g ON g.ring = l.ring AND g.lane = l.lane
                WHERE r.id = a_ring;
            IF v_head IS NULL OR v_version IS NULL OR v_version <> a_version THEN
                LEAVE work;
            END IF;

            -- In each other lane there may be pushes, under way or to come, of at most a share of
            -- the ring.
            SET v_share = v_messages DIV (4 * a_lanes);
            SET v_share_bytes = v_bytes DIV (4 * a_lanes);
            SET v_tight = a_lanes > 1 AND NOT (
                a_messages <= v_share AND a_size <= v_share_bytes
                AND v_held + a_messages + (a_lanes - 1) * v_share <= v_messages
                AND v_held_bytes + a_size + (a_lanes - 1) * v_share_bytes <= v_bytes);
            IF v_tight AND NOT v_all THEN
                ROLLBACK AND NO CHAIN NO RELEASE;
                SET v_all = 1;
                ITERATE work;
            END IF;
            SET v_room = 0;
            SET v_room_bytes = 0;
            IF v_held + a_lanes * v_share <= v_messages
                    AND v_held_bytes + a_lanes * v_share_bytes <= v_bytes THEN
                SET v_room = v_head + v_share;
                SET v_room_bytes = v_sent + v_share_bytes;
            END IF;
            SET v_place = v_cell + MOD(v_turn - v_from, v_cells);
        END IF;

        IF a_producer <> 0 THEN
            UPDATE slipring_producer SET number = a_number, seen_at = v_now
                WHERE ring = a_ring AND producer = a_producer AND number < a_number;
            IF ROW_COUNT() = 0 THEN
                IF EXISTS (SELECT 1 FROM slipring_producer
                           WHERE ring = a_ring AND producer = a_producer) THEN
                    SET v_outcome = 'again';
                    LEAVE work;
                END IF;
                INSERT INTO slipring_producer (ring, producer, number, seen_at)
                    VALUES (a_ring, a_producer, a_number, v_now);
            END IF;
        END IF;
        IF v_room IS NOT NULL THEN
            IF v_held + a_messages > v_messages OR v_held_bytes + a_size > v_bytes THEN
                SET v_outcome = 'full';
                LEAVE work;
            END IF;
            -- Only if the last extent has a free cell, and no extent is to be removed.
            IF v_turn - GREATEST(v_oldest, v_from) >= v_cells OR v_second <= v_oldest THEN
                LEAVE work;
            END IF;
            IF v_tight AND v_given > 0 THEN
                UPDATE slipring_lane SET room = 0, room_bytes = 0 WHERE ring = a_ring AND room > 0;
            END IF;
        END IF;
        IF a_body IS NULL THEN
            CASE MOD(v_turn, 4)
                WHEN 0 THEN INSERT INTO slipring_content_0 (ring, lane, turn, piece, data)
                    VALUES (a_ring, v_lane, v_turn, 0, @slipring_body);
                WHEN 1 THEN INSERT INTO slipring_content_1 (ring, lane, turn, piece, data)
                    VALUES (a_ring, v_lane, v_turn, 0, @slipring_body);
                WHEN 2 THEN INSERT INTO slipring_content_2 (ring, lane, turn, piece, data)
                    VALUES (a_ring, v_lane, v_turn, 0, @slipring_body);
                ELSE INSERT INTO slipring_content_3 (ring, lane, turn, piece, data)
                    VALUES (a_ring, v_lane, v_turn, 0, @slipring_body);
            END CASE;
        END IF;
        UPDATE slipring_slot
            SET turn = v_turn, first_position = v_head, messages = a_messages,
                producer = a_producer, number = a_number, pushed_at = v_now, size = a_size,
                pieces = a_body IS NULL, body = COALESCE(a_body, '')
            WHERE ring = a_ring AND lane = v_lane AND cell = v_place;
        IF ROW_COUNT() = 0 THEN
            -- Somebody has deleted the row.
            LEAVE work;
        END IF;
        UPDATE slipring_lane
            SET head = v_head + a_messages, turn = v_turn + 1, bytes = bytes + a_size,
                room = COALESCE(v_room, room), room_bytes = COALESCE(v_room_bytes, room_bytes)
            WHERE ring = a_ring AND lane = v_lane;
        COMMIT AND NO CHAIN NO RELEASE;
        SET v_outcome = 'pushed';
        LEAVE work;
    END LOOP;

    IF v_outcome <> 'pushed' THEN
        ROLLBACK AND NO CHAIN NO RELEASE;
    END IF;
    IF a_body IS NULL THEN
        SET @slipring_body = NULL;
    END IF;
    SELECT CONCAT_WS(' ', v_outcome, v_tight, v_lane, v_head, v_turn, v_now,
        COALESCE(v_messages - v_held, 0), COALESCE(v_bytes - v_held_bytes, 0),
        COALESCE(v_room - v_head - a_messages, 0), COALESCE(v_room_bytes - v_sent - a_size, 0),
        COALESCE(v_cells - 1 - v_turn + GREATEST(v_oldest, v_from), 0),
        v_from, v_cell, v_cells);
END$$

DELIMITER ;
