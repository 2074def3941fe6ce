-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the usual push as one call.
--
-- One slot into one lane. What is unusual it leaves to the statements of the engine and changes
-- nothing: 'other'. A user who may not make procedures, or not call them, loses speed only.

DELIMITER $$

DROP PROCEDURE IF EXISTS slipring_push$$

-- Appends a slot and commits. Answers with one row:
--
--     outcome   pushed, again (the producer had pushed this number before), full, other
--     lane, first_position, turn, now   of the slot; undefined unless it was pushed
--     tight     1 if there is little room left, so that pushes need all lanes
--     free_messages, free_bytes         how much room there was
--
-- A server puts the values of a procedure's variables into the text of each statement that uses
-- them, as if somebody could ask for that text. A large body therefore comes in the session's
-- variable slipring_body, set by the call before this one.
CREATE PROCEDURE slipring_push(
    IN a_ring     BIGINT,
    IN a_version  BIGINT,   -- of the shape that the caller goes by
    IN a_lanes    INT,      -- how many lanes that has
    IN a_lane     INT,      -- the lane that it is to go to
    IN a_anywhere INT,      -- 1 if another lane will do
    IN a_tight    INT,      -- 1 if the ring was short of room when it was last pushed to
    IN a_producer BIGINT,   -- 0 if nobody will ask
    IN a_number   BIGINT,
    IN a_messages INT,
    IN a_size     INT,      -- how long the body is
    IN a_body     VARBINARY(3000))  -- the body; null if it is in slipring_body
    SQL SECURITY INVOKER
BEGIN
    DECLARE v_outcome VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT 'other';
    DECLARE v_lane, v_tries, v_all, v_tight INT DEFAULT 0;
    DECLARE v_version, v_now, v_head, v_turn, v_oldest, v_pushed BIGINT;
    DECLARE v_messages, v_bytes, v_held, v_held_bytes, v_gates, v_out BIGINT;
    DECLARE v_from, v_cell, v_cells, v_run, v_second BIGINT;
    DECLARE v_extents, v_extent TEXT CHARACTER SET ascii COLLATE ascii_bin;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET v_all = a_tight;

    work: LOOP
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        START TRANSACTION;

        -- The front of the lane, or of the next that is free, or of all lanes in their order.
        SET v_head = NULL;
        SET v_lane = a_lane;
        SET v_tries = IF(v_all, 0, IF(a_anywhere, a_lanes, 1));
        IF v_all THEN
            SELECT COUNT(*) INTO v_tries FROM slipring_lane WHERE ring = a_ring FOR UPDATE;
            SET v_tries = 0;
        END IF;
        WHILE v_head IS NULL AND v_tries > 0 DO
            SELECT head, turn, extents INTO v_head, v_turn, v_extents
                FROM slipring_lane WHERE ring = a_ring AND lane = v_lane FOR UPDATE SKIP LOCKED;
            SET v_tries = v_tries - 1;
            IF v_head IS NULL THEN
                SET v_lane = IF(v_tries > 0, MOD(v_lane + 1, a_lanes), a_lane);
            END IF;
        END WHILE;
        IF v_head IS NULL THEN
            SELECT head, turn, extents INTO v_head, v_turn, v_extents
                FROM slipring_lane WHERE ring = a_ring AND lane = v_lane FOR UPDATE;
        END IF;

        -- Nobody changes the shape of a ring while somebody has a front of it.
        SET v_version = NULL;
        SELECT version, messages, bytes,
               TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
            INTO v_version, v_messages, v_bytes, v_now
            FROM slipring_ring WHERE id = a_ring;
        IF v_head IS NULL OR v_version IS NULL OR v_version <> a_version THEN
            LEAVE work;
        END IF;

        IF a_producer <> 0 THEN
            UPDATE slipring_producer SET number = a_number, seen_at = v_now
                WHERE ring = a_ring AND producer = a_producer AND number < a_number;
            IF ROW_COUNT() = 0 THEN
                SET v_pushed = NULL;
                SELECT number INTO v_pushed
                    FROM slipring_producer WHERE ring = a_ring AND producer = a_producer;
                IF v_pushed IS NOT NULL THEN
                    SET v_outcome = 'again';
                    LEAVE work;
                END IF;
                INSERT INTO slipring_producer (ring, producer, number, seen_at)
                    VALUES (a_ring, a_producer, a_number, v_now);
            END IF;
        END IF;

        -- The backs first: what is released between the two looks counts as held.
        SELECT SUM(gate), SUM(bytes), SUM(IF(lane = v_lane, turn, 0))
            INTO v_gates, v_out, v_oldest FROM slipring_gate WHERE ring = a_ring;
        SELECT SUM(head) - v_gates, SUM(bytes) - v_out
            INTO v_held, v_held_bytes FROM slipring_lane WHERE ring = a_ring;
        -- In each other lane there may be a push under way, of at most a share of the ring.
        SET v_tight = a_lanes > 1 AND NOT (
            a_messages <= v_messages DIV (4 * a_lanes)
            AND v_held + a_messages + (a_lanes - 1) * (v_messages DIV (4 * a_lanes)) <= v_messages
            AND a_size <= v_bytes DIV (4 * a_lanes)
            AND v_held_bytes + a_size + (a_lanes - 1) * (v_bytes DIV (4 * a_lanes)) <= v_bytes);
        IF v_tight AND NOT v_all THEN
            ROLLBACK;
            SET v_all = 1;
            ITERATE work;
        END IF;
        IF v_held + a_messages > v_messages OR v_held_bytes + a_size > v_bytes THEN
            SET v_outcome = 'full';
            LEAVE work;
        END IF;

        -- The cell, if the last extent has one that is free, and no extent is to go.
        SET v_extent = SUBSTRING_INDEX(v_extents, ',', -1);
        SET v_from = SUBSTRING_INDEX(v_extent, ':', 1);
        SET v_cells = SUBSTRING_INDEX(v_extent, ':', -1);
        SET v_second = IF(LOCATE(',', v_extents) = 0, 9223372036854775807, CAST(SUBSTRING_INDEX(
            SUBSTRING_INDEX(SUBSTRING_INDEX(v_extents, ',', 2), ',', -1), ':', 1) AS SIGNED));
        IF v_turn - GREATEST(v_oldest, v_from) >= v_cells OR v_second <= v_oldest THEN
            LEAVE work;
        END IF;
        CALL slipring_extent(v_extents, v_turn, v_cell, v_run);

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
            WHERE ring = a_ring AND lane = v_lane AND cell = v_cell;
        IF ROW_COUNT() = 0 THEN
            -- Somebody has deleted the row.
            LEAVE work;
        END IF;
        UPDATE slipring_lane
            SET head = v_head + a_messages, turn = v_turn + 1, bytes = bytes + a_size
            WHERE ring = a_ring AND lane = v_lane;
        COMMIT;
        SET v_outcome = 'pushed';
        LEAVE work;
    END LOOP;

    IF v_outcome <> 'pushed' THEN
        ROLLBACK;
    END IF;
    IF a_body IS NULL THEN
        SET @slipring_body = NULL;
    END IF;
    SELECT v_outcome, v_lane, v_head, v_turn, v_now, v_tight,
           v_messages - v_held, v_bytes - v_held_bytes;
END$$

DELIMITER ;
