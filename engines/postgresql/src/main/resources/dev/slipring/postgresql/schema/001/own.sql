-- SPDX-License-Identifier: Apache-2.0
-- Functions of a ring's own: what runs for every message is written out for each ring, with the
-- names of its tables in it. So the server keeps its plans instead of making them each time.

-- Chooses among 2, 4 or 8 statements by the lowest bits of a number, as an IF of IFs: CASE would
-- try one after the other, and each try costs as much as a short statement.
CREATE FUNCTION slipring.choose(number text, statements text[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE half int := cardinality(statements) / 2;
BEGIN
    IF half = 0 THEN
        RETURN statements[1];
    END IF;
    RETURN format('IF %s & %s = 0 THEN %s ELSE %s END IF;', number, half,
        slipring.choose(number, statements[:half]), slipring.choose(number, statements[half + 1:]));
END $$;

-- A statement for whichever segment a turn stands in: @segment in it becomes the table's name, and
-- @before that of the segment before it.
CREATE FUNCTION slipring.each_segment(turn text, statement text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN slipring.choose(turn, (SELECT array_agg(replace(replace(statement,
            '@segment', 'slipring.slot_@ring_' || seg),
            '@before', 'slipring.slot_@ring_' || (seg + 7) % 8) ORDER BY seg)
        FROM generate_series(0, 7) seg));
END $$;

-- A statement for whichever page of the log of strands a number stands for: @page in it becomes the
-- table's name. The number is kept in the variable page.
CREATE FUNCTION slipring.each_page(statement text, number text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN format('page := %s & 3; ', number) || slipring.choose('page', (SELECT array_agg(
            replace(statement, '@page', 'slipring.strand_' || p) ORDER BY p)
        FROM generate_series(0, 3) p));
END $$;

-- The sequence of a kind that belongs to a lane of a ring with so many, as an expression.
CREATE FUNCTION slipring.of_lane(kind text, lanes int, lane text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT format('(ARRAY[%s]::regclass[])[%s + 1]',
            string_agg(format('''slipring.%s_@ring_%s''', kind, l), ', ' ORDER BY l), lane)
        FROM generate_series(0, lanes - 1) l);
END $$;

-- Makes a function of a ring's own from its text: @ring becomes the ring's id, @bytes_of_piece and
-- @bytes_of_claim become numbers.
--
-- Where row security is forced on tables, rows that it hides from the owner would be taken for
-- gone, and would be passed by or emptied. So row_security is off here, and in every function that
-- goes by what a ring holds: then such a look fails.
--
-- A session keeps the plans that it made when a table was nearly empty. If the table had been
-- analyzed like that, they would read all of it, also when it has grown, as nothing analyzes it
-- then. So enable_seqscan is off in the same functions.
CREATE FUNCTION slipring.make_own(ring_id bigint, head text, body text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    body := replace(body, '@bytes_of_piece', slipring.bytes_of_piece()::text);
    body := replace(body, '@bytes_of_claim', slipring.bytes_of_claim()::text);
    EXECUTE replace(format('CREATE FUNCTION slipring.%s LANGUAGE plpgsql SECURITY DEFINER'
        || ' SET search_path = pg_catalog, pg_temp SET row_security = off'
        || ' SET enable_seqscan = off AS %L', head, body), '@ring', ring_id::text);
    EXECUTE replace(format('REVOKE ALL ON FUNCTION slipring.%s FROM PUBLIC',
        split_part(head, '(', 1)), '@ring', ring_id::text);
END $$;

-- What runs for each push of one slot. A lane below zero means any lane. A caller that has already
-- found room for several slots, and kept the lane, says where this slot ends (found_end,
-- found_total). Returns 1: pushed, 2: it was pushed before, 0: the ring is full, -1: others keep
-- the lane for longer than this waits for them (patience, in milliseconds; null: for ever); then
-- nothing has happened.
--
-- The order of steps keeps the ring within its capacity without a lock over all lanes. A push first
-- says how far the lane goes now, and then looks whether it has that much credit. A push that takes
-- credit away first takes it, and then looks how far the lanes go. One of the two sees the other.
--
-- PL/pgSQL prepares each expression anew in each transaction, which costs more than what the
-- expression does. So there are few of them: one finds the lane, and one finds room.
CREATE FUNCTION slipring.make_push(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    lanes int := (SELECT x.lanes FROM slipring.ring x WHERE x.id = ring_id);
    body text := $own$
DECLARE
    head regclass;
    sizes regclass;
    turn bigint;
    own_end bigint;
    own_total bigint;
    ok boolean;
BEGIN
    UNLISTEN slipring_nobody; -- As in slipring.may.
    IF session_user <> current_user OR current_setting('role') <> 'none' THEN
        PERFORM slipring.may(@ring, 'produce');
    END IF;
    IF by_producer <> 0 AND found_end IS NULL THEN
        @is_pushed
    END IF;
    in_lane := CASE
        WHEN in_lane < 0 AND coalesce(current_setting('slipring.lane_@ring', true), '') = ''
            AND pg_try_advisory_xact_lock(
                slipring.lane_lock(@ring, slipring.own_lane(@lanes)))
            THEN slipring.own_lane(@lanes)
        WHEN in_lane < 0 THEN slipring.keep_any_lane(@ring, @lanes)
        WHEN in_lane >= @lanes THEN slipring.no_lane(in_lane, @lanes)
        WHEN pg_try_advisory_xact_lock(slipring.lane_lock(@ring, in_lane)) THEN in_lane
        WHEN slipring.keep_lane(@ring, in_lane, patience) THEN in_lane END;
    head := @head;
    sizes := @size;
    IF found_end IS NULL AND NOT (CASE
            WHEN in_lane IS NULL THEN false
            WHEN setval(sizes, pg_sequence_last_value(sizes) + octet_length(in_body)) >= 0
                AND setval(head, pg_sequence_last_value(head) + count) >= 0
            THEN pg_sequence_last_value(head) <= pg_sequence_last_value(@credit)
                AND pg_sequence_last_value(sizes) <= pg_sequence_last_value(@allow)
                OR slipring.find_room_for(@ring, ARRAY[in_lane], ARRAY[count::bigint],
                    ARRAY[octet_length(in_body)::bigint]) END) THEN
        RETURN CASE WHEN in_lane IS NULL THEN -1 ELSE 0 END;
    END IF;
    turn := pg_sequence_last_value('slipring.turn_@ring');
    -- The slot begins behind the last slot, and not where the sequence is, which a push that was
    -- rolled back has moved.
    @behind
    IF own_end IS NULL OR found_end IS NULL AND (own_end <> pg_sequence_last_value(head)
            OR own_total <> pg_sequence_last_value(sizes)) THEN
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            -- Without a count the sequence has not moved, so where it is cannot be the end of this
            -- slot.
            own_end := CASE WHEN count > 0
                THEN coalesce(found_end, pg_sequence_last_value(head)) END;
            own_total := coalesce(found_total, pg_sequence_last_value(sizes));
            -- So that nobody takes for lost what was rolled back between the last slot and this
            -- one.
            by_number := CASE WHEN by_producer = 0 THEN -1 ELSE by_number END;
            @first
        ELSIF own_end IS NULL THEN
            -- It is the first slot of the lane in this segment.
            SELECT e.until + count, e.total + octet_length(in_body) INTO own_end, own_total
                FROM slipring.ring r, slipring.lane_end(r, in_lane) e WHERE r.id = @ring;
            @first
        END IF;
        IF found_end IS NULL AND (own_end <> pg_sequence_last_value(head)
                OR own_total <> pg_sequence_last_value(sizes)) THEN
            -- The way back gives no credit.
            ok := setval(@credit, 0) = 0 AND setval(head, own_end) >= 0
                AND setval(sizes, own_total) >= 0;
        END IF;
    END IF;
    IF octet_length(in_body) > @bytes_of_piece THEN
        @rest
    END IF;
    RETURN 1;
END $own$;
BEGIN
    body := replace(body, '@is_pushed', slipring.look_for_number('RETURN 2;'));
    body := replace(body, '@behind', slipring.each_segment('turn', 'INSERT INTO @segment'
        || ' SELECT in_lane, false, x.until + count, 0, count, x.total + octet_length(in_body),'
        || ' octet_length(in_body), clock_timestamp(), by_producer, by_number, @piece'
        || ' FROM (SELECT y.until, y.total FROM @segment y WHERE y.lane = in_lane AND NOT y.rest'
        || ' ORDER BY y.until DESC LIMIT 1) x'
        || ' WHERE current_setting(''transaction_isolation'') = ''read committed'''
        || ' RETURNING until, total INTO own_end, own_total;'));
    body := replace(body, '@first', slipring.each_segment('turn', 'INSERT INTO @segment VALUES'
        || ' (in_lane, false, own_end, 0, count, own_total, octet_length(in_body),'
        || ' clock_timestamp(), by_producer, by_number, @piece);')
        -- A row that is turned away behind a lane's last slot comes here too.
        || ' IF NOT FOUND THEN PERFORM slipring.turned_away(''slipring.slot_@ring_*''); END IF;');
    body := replace(body, '@piece', 'CASE WHEN octet_length(in_body) > @bytes_of_piece'
        || ' THEN substring(in_body FROM 1 FOR @bytes_of_piece) ELSE in_body END');
    body := replace(body, '@rest', slipring.each_segment('turn',
        'INSERT INTO @segment (lane, rest, until, part, body) SELECT in_lane, true,'
        || ' own_end, i, substring(in_body FROM i * @bytes_of_piece + 1 FOR @bytes_of_piece)'
        || ' FROM generate_series(1, (octet_length(in_body) - 1) / @bytes_of_piece) i;'));
    body := replace(body, '@head', slipring.of_lane('head', lanes, 'in_lane'));
    body := replace(body, '@size', slipring.of_lane('size', lanes, 'in_lane'));
    body := replace(body, '@credit', slipring.of_lane('credit', lanes, 'in_lane'));
    body := replace(body, '@allow', slipring.of_lane('allow', lanes, 'in_lane'));
    body := replace(body, '@lanes', lanes::text);
    PERFORM slipring.make_own(ring_id, 'push_@ring(in_lane int, count int, in_body bytea,'
        || ' by_producer bigint, by_number bigint, found_end bigint DEFAULT NULL,'
        || ' found_total bigint DEFAULT NULL, patience int DEFAULT NULL) RETURNS int', body);
END $make$;
