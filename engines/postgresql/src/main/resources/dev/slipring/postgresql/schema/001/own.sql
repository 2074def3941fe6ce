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

-- A statement for whichever page of the log of strands a number stands for: @page in it becomes the
-- table's name. The number is kept in the variable page.
CREATE FUNCTION slipring.each_page(statement text, number text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN format('page := %s & 3; CASE page', number) || (SELECT string_agg(format(
            ' WHEN %s THEN %s', p, replace(statement, '@page', 'slipring.strand_' || p)), ''
            ORDER BY p) FROM generate_series(0, 3) p) || ' END CASE;';
END $$;

-- The sequence of a kind that belongs to a lane of a ring with so many, as an expression.
CREATE FUNCTION slipring.of_lane(kind text, lanes int, lane text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT format('(ARRAY[%s]::regclass[])[%s + 1]',
            string_agg(format('''slipring.%s_@ring_%s''', kind, l), ', ' ORDER BY l), lane)
        FROM generate_series(0, lanes - 1) l);
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

-- What runs for each push of one slot. A lane below zero (-1 for lane 0) is only wished for:
-- another one may take its place that nobody pushes to now. Who has found room for several slots
-- already, and kept the lane, says where this one ends (found_end, found_total).
-- 1: pushed, 2: it was pushed before, 0: the ring is full, and nothing has happened.
--
-- The order is what keeps the ring within its capacity without a lock over all lanes: a push first
-- says how far the lane goes now, and then looks whether it has that much credit; who takes credit
-- away first takes it, and then looks how far the lanes go. One of the two sees the other.
CREATE FUNCTION slipring.make_push(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    lanes int := (SELECT x.lanes FROM slipring.ring x WHERE x.id = ring_id);
    body text := $own$
DECLARE
    sees_all boolean := current_setting('transaction_isolation') = 'read committed';
    size int := octet_length(in_body);
    piece bytea := in_body;
    head regclass;
    sizes regclass;
    turn bigint;
    old_end bigint;
    old_total bigint;
    at_end bigint := found_end;
    at_total bigint := found_total;
    own_end bigint;
    own_total bigint;
    ok boolean;
BEGIN
    IF session_user <> current_user OR current_setting('role') <> 'none' THEN
        PERFORM slipring.may(@ring, 'produce');
    END IF;
    IF found_end IS NULL AND by_producer <> 0
            AND slipring.is_pushed_@ring(by_producer, by_number) THEN
        RETURN 2;
    END IF;
    IF in_lane < 0 THEN
        in_lane := slipring.keep_any_lane(@ring, @lanes, -1 - in_lane);
    ELSE
        ok := pg_advisory_xact_lock(slipring.lane_lock(@ring, in_lane)) IS NULL;
    END IF;
    IF found_end IS NULL THEN
        head := @head;
        sizes := @size;
        old_end := pg_sequence_last_value(head);
        old_total := pg_sequence_last_value(sizes);
        at_total := setval(sizes, old_total + size);
        at_end := setval(head, old_end + count);
        ok := at_end <= pg_sequence_last_value(@credit)
            AND at_total <= pg_sequence_last_value(@allow)
            OR slipring.find_room(@ring, ARRAY[in_lane]);
        IF NOT ok AND sees_all THEN
            -- The lane's own sequences may stand where a push left them that was rolled back.
            SELECT e.until, e.total INTO own_end, own_total
                FROM slipring.ring r, slipring.lane_end(r, in_lane) e WHERE r.id = @ring;
            IF own_end < old_end OR own_total < old_total THEN
                old_end := own_end;
                old_total := own_total;
                at_total := setval(sizes, old_total + size);
                at_end := setval(head, old_end + count);
                ok := slipring.find_room(@ring, ARRAY[in_lane]);
            END IF;
        END IF;
        IF NOT ok THEN
            at_end := setval(head, old_end);
            at_total := setval(sizes, old_total);
            RETURN 0;
        END IF;
    END IF;
    IF size > 8000 THEN
        piece := substring(in_body FROM 1 FOR 8000);
    END IF;
    turn := pg_sequence_last_value('slipring.turn_@ring');
    IF sees_all THEN
        -- Behind the last slot, not where the sequence is, which a push that was rolled back moved.
        @behind
        IF own_end IS NULL THEN
            -- It is the first of the lane in this segment.
            SELECT e.until + count, e.total + size INTO own_end, own_total
                FROM slipring.ring r, slipring.lane_end(r, in_lane) e WHERE r.id = @ring;
            @first
        END IF;
        IF (own_end <> at_end OR own_total <> at_total) AND found_end IS NULL THEN
            -- The way back gives no credit.
            at_end := setval(@credit, 0);
            at_end := setval(head, own_end);
            at_total := setval(sizes, own_total);
        END IF;
    ELSE
        own_end := at_end;
        own_total := at_total;
        @first
    END IF;
    IF size > 8000 THEN
        @rest
    END IF;
    RETURN 1;
END $own$;
BEGIN
    body := replace(body, '@behind', slipring.each_segment('turn', 'INSERT INTO @segment'
        || ' SELECT in_lane, false, x.until + count, 0, count, x.total + size, size,'
        || ' clock_timestamp(), by_producer, by_number, piece FROM (SELECT y.until, y.total'
        || ' FROM @segment y WHERE y.lane = in_lane AND NOT y.rest ORDER BY y.until DESC LIMIT 1)'
        || ' x RETURNING until, total INTO own_end, own_total;'));
    body := replace(body, '@first', slipring.each_segment('turn', 'INSERT INTO @segment VALUES'
        || ' (in_lane, false, own_end, 0, count, own_total, size, clock_timestamp(),'
        || ' by_producer, by_number, piece);'));
    body := replace(body, '@rest', slipring.each_segment('turn',
        'INSERT INTO @segment (lane, rest, until, part, body) SELECT in_lane, true,'
        || ' own_end, i, substring(in_body FROM i * 8000 + 1 FOR 8000)'
        || ' FROM generate_series(1, (size - 1) / 8000) i;'));
    body := replace(body, '@head', slipring.of_lane('head', lanes, 'in_lane'));
    body := replace(body, '@size', slipring.of_lane('size', lanes, 'in_lane'));
    body := replace(body, '@credit', slipring.of_lane('credit', lanes, 'in_lane'));
    body := replace(body, '@allow', slipring.of_lane('allow', lanes, 'in_lane'));
    body := replace(body, '@lanes', lanes::text);
    PERFORM slipring.make_own(ring_id, 'push_@ring(in_lane int, count int, in_body bytea,'
        || ' by_producer bigint, by_number bigint, found_end bigint DEFAULT NULL,'
        || ' found_total bigint DEFAULT NULL) RETURNS int', body);
END $make$;
