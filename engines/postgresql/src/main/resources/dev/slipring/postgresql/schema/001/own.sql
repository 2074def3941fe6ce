-- SPDX-License-Identifier: Apache-2.0
-- Functions of a ring's own: what runs for every message is written out for each ring, with the
-- names of its tables in it, so that the server keeps its plans instead of making them each time.

-- A statement for whichever segment a turn stands in: @segment in it becomes the table's name.
CREATE FUNCTION slipring.each_segment(turn text, statement text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN format('CASE %s & 7', turn) || (SELECT string_agg(format(' WHEN %s THEN %s', seg,
            replace(statement, '@segment', 'slipring.slot_@ring_' || seg)), '' ORDER BY seg)
        FROM generate_series(0, 7) seg) || ' END CASE;';
END $$;

-- The sum of an expression over all lanes: @lane in it becomes the lane.
CREATE FUNCTION slipring.each_lane(lanes int, expression text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT string_agg(replace(expression, '@lane', lane::text), ' + ' ORDER BY lane)
        FROM generate_series(0, lanes - 1) lane);
END $$;

-- Makes a function of a ring's own from its text: @ring becomes the ring's id.
CREATE FUNCTION slipring.make_own(ring_id bigint, head text, body text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE replace(format('CREATE FUNCTION slipring.%s LANGUAGE plpgsql SECURITY DEFINER'
        || ' SET search_path = pg_catalog, pg_temp AS %L', head, body), '@ring', ring_id::text);
    EXECUTE replace(format('REVOKE ALL ON FUNCTION slipring.%s FROM PUBLIC',
        split_part(head, '(', 1)), '@ring', ring_id::text);
END $$;

-- What runs for each push of one slot. In a ring's own words: room is looked for where the push
-- as a whole (all_messages, all_bytes) is to be checked. 1: pushed, 2: it was pushed before,
-- 0: the ring is full, and nothing has happened.
CREATE FUNCTION slipring.make_push(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    lanes int := (SELECT x.lanes FROM slipring.ring x WHERE x.id = ring_id);
    body text := $own$
DECLARE
    r slipring.ring;
    sees_all boolean := current_setting('transaction_isolation') = 'read committed';
    size int := octet_length(in_body);
    turn bigint;
    since bigint;
    total bigint;
    pushed_by bigint;
    pushed_number bigint;
BEGIN
    IF session_user <> current_user OR current_setting('role') <> 'none' THEN
        PERFORM slipring.may(@ring, 'produce');
    END IF;
    SELECT * INTO r FROM slipring.ring x WHERE x.id = @ring;
    PERFORM pg_advisory_xact_lock(slipring.lane_lock(@ring, in_lane));
    turn := pg_sequence_last_value('slipring.turn_@ring');
    IF sees_all THEN
        @last
        IF since IS NULL THEN
            SELECT e.until, e.total INTO since, total FROM slipring.lane_end(r, in_lane) e;
        END IF;
    ELSE
        since := pg_sequence_last_value(r.heads[in_lane + 1]);
        total := pg_sequence_last_value(r.sizes[in_lane + 1]);
    END IF;
    IF all_messages > 0 THEN
        IF pushed_by = by_producer AND by_producer <> 0 THEN
            -- Its numbers only grow, so its last slot in the lane says it all.
            IF pushed_number >= by_number THEN
                RETURN 2;
            END IF;
        ELSIF by_producer <> 0 THEN
            FOR t IN greatest(turn - 1, 0)..turn LOOP
                @repeated
                IF FOUND THEN
                    RETURN 2;
                END IF;
            END LOOP;
        END IF;
        IF r.messages - (@messages) < all_messages OR r.bytes - (@bytes) < all_bytes THEN
            IF sees_all THEN
                PERFORM slipring.take_back(r);
            END IF;
            IF r.messages - (@messages) < all_messages OR r.bytes - (@bytes) < all_bytes THEN
                RETURN 0;
            END IF;
        END IF;
        IF pg_sequence_last_value('slipring.stuck_@ring') > 0
                AND slipring.holder(r) IS NOT NULL THEN
            RETURN 0;
        END IF;
    END IF;
    IF size <= 8000 THEN
        @one
    ELSE
        @many
    END IF;
    turn := setval(r.heads[in_lane + 1], since + count) + setval(r.sizes[in_lane + 1], total + size);
    RETURN 1;
END $own$;
BEGIN
    body := replace(body, '@last', slipring.each_segment('turn', 'SELECT x.until, x.total,'
        || ' x.producer, x.number INTO since, total, pushed_by, pushed_number FROM @segment x'
        || ' WHERE x.lane = in_lane AND NOT x.rest ORDER BY x.until DESC LIMIT 1;'));
    body := replace(body, '@repeated', slipring.each_segment('t', 'PERFORM FROM @segment x'
        || ' WHERE x.producer = by_producer AND x.producer <> 0 AND x.number >= by_number LIMIT 1;'
        ));
    body := replace(body, '@one', slipring.each_segment('turn', 'INSERT INTO @segment VALUES'
        || ' (in_lane, false, since + count, 0, count, total + size, size, clock_timestamp(),'
        || ' by_producer, by_number, in_body);'));
    body := replace(body, '@many', slipring.each_segment('turn', 'INSERT INTO @segment VALUES'
        || ' (in_lane, false, since + count, 0, count, total + size, size, clock_timestamp(),'
        || ' by_producer, by_number, substring(in_body FROM 1 FOR 8000));'
        || ' INSERT INTO @segment (lane, rest, until, part, body) SELECT in_lane, true,'
        || ' since + count, i, substring(in_body FROM i * 8000 + 1 FOR 8000)'
        || ' FROM generate_series(1, (size - 1) / 8000) i;'));
    body := replace(body, '@messages', slipring.each_lane(lanes,
        'greatest(pg_sequence_last_value(''slipring.head_@ring_@lane'')'
        || ' - pg_sequence_last_value(''slipring.gate_@ring_@lane''), 0)'));
    body := replace(body, '@bytes', slipring.each_lane(lanes,
        'greatest(pg_sequence_last_value(''slipring.size_@ring_@lane'')'
        || ' - pg_sequence_last_value(''slipring.freed_@ring_@lane''), 0)'));
    PERFORM slipring.make_own(ring_id, 'push_@ring(in_lane int, count int, in_body bytea,'
        || ' by_producer bigint, by_number bigint, all_messages bigint, all_bytes bigint)'
        || ' RETURNS int', body);
END $make$;
