-- SPDX-License-Identifier: Apache-2.0
-- The steps of take, in their order. Each is a text that make_take puts in its place. ------------

-- Reads the strand of a stage in the lane that is looked at (at_lane) into a variable.
CREATE FUNCTION slipring.take_strand(variable text, of_stage text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN slipring.each_page(format('SELECT p.* INTO %s FROM @page p WHERE p.ring = @ring'
            || ' AND p.stage = %s AND p.lane = at_lane ORDER BY p.no DESC LIMIT 1;',
            variable, of_stage), 'pg_sequence_last_value(''slipring.page'')')
        || format(' IF NOT FOUND THEN %s := slipring.strand_now(@ring, %s, at_lane); END IF;',
            variable, of_stage);
END $$;

-- Finds the stage (st), whether it hands out in the ordinary way (plain), when its first retry is
-- due, and whether it is the only one (alone).
CREATE FUNCTION slipring.take_look_up_stage() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    SELECT x AS stage, x.ordered, x.lease_ms, x.ancestors, cardinality(x.ancestors) > 0 AS follows,
            -- The least, and not whether there is one: for that the planner may read a whole table.
            NOT x.paused AND (cardinality(x.ancestors) = 0 OR (SELECT min(a.lane)
                FROM slipring.arrival a WHERE a.ring = @ring AND a.stage = stage_name) IS NULL)
                AS plain,
            (SELECT min(a.due) FROM slipring.aside a WHERE a.ring = @ring
                AND a.stage = stage_name AND a.state = 'waiting') AS due,
            NOT EXISTS (SELECT FROM slipring.stage y WHERE y.ring = @ring
                AND y.name <> stage_name) AS alone
        INTO st FROM slipring.stage x WHERE x.ring = @ring AND x.name = stage_name;
$own$ $outer$;

-- Looks at everything that the whole way could find other than new messages, in all lanes. If there
-- is nothing, the look is calm, and begins at a random lane.
CREATE FUNCTION slipring.take_look_at_all() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    calm := (SELECT min(a.lane) FROM slipring.aside a
        WHERE a.ring = @ring AND a.stage = stage_name) IS NULL;
    -- Of a retry in front of it something may have been said that is not taken in.
    calm := calm AND NOT EXISTS (SELECT FROM unnest(st.ancestors) n
        WHERE slipring.awaits_retry(@ring, n));
    look_at := floor(random() * @lanes);
    at_lane := 0;
    WHILE calm AND at_lane < @lanes LOOP
        @read
        -- New messages may be hidden by the gate: after a word that was rolled back, or in a
        -- dump that was restored, whose rows are of one moment and whose sequences are of later
        -- ones.
        head := pg_sequence_last_value(@head);
        calm := s.ring IS NOT NULL AND s.dropped = 0 AND s.claimed >= s.high
            AND coalesce(s.expires > clock_timestamp(), true)
            AND NOT (head > s.claimed AND head <= pg_sequence_last_value(@gate));
        first_at := least(first_at, s.expires);
        calm := calm AND NOT slipring.has_words(s);
        at_lane := at_lane + 1;
    END LOOP;
$own$ $outer$;

-- Takes the word in memory, if it is ordinary. It is written with the claim, or before another
-- strand is read.
CREATE FUNCTION slipring.take_say_word() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    at_lane := of_lane;
    @read
    before := s.done;
    IF cardinality(s.hands) = 1 AND s.dropped = 0 AND s.expires > clock_timestamp() THEN
        h := s.hands[1];
        IF h.epoch <> of_epoch OR h.retry OR slipring.is_spoken_for(@ring, stage_name, of_lane,
                of_epoch, h.said) THEN
            s := NULL;
        ELSE
            s.hands := '{}';
            s.done := s.claimed;
            s.high := greatest(s.high, s.done);
            s.expires := NULL;
            total := s.passed;
        END IF;
    ELSE
        s := slipring.plainly_done(s, of_epoch);
    END IF;
    calm := s.ring IS NOT NULL;
    done := s.done;
    -- The word is in memory now. A claim in the same lane is written with it.
    word_lane := of_lane;
$own$ $outer$;

-- Locks the strand of a lane and reads it, unless that is here already, with the word.
CREATE FUNCTION slipring.take_enter_lane() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    IF at_lane IS DISTINCT FROM word_lane THEN
        IF NOT pg_try_advisory_xact_lock(slipring.strand_lock(@ring, stage_name, at_lane)) THEN
            is_clear := false;
            CONTINUE;
        END IF;
        IF of_epoch IS NULL AND (SELECT x FROM slipring.stage x WHERE x.ring = @ring
                AND x.name = stage_name) IS DISTINCT FROM st.stage THEN
            -- It was changed before this had a lane, perhaps paused: the whole way looks again.
            is_clear := false;
            EXIT;
        END IF;
        IF word_lane IS NOT NULL THEN
            @append
            word_lane := NULL;
        END IF;
        @read
    END IF;
$own$ $outer$;

-- Ends the look (head) where the ancestors are, and at the first message that one of them keeps
-- back.
CREATE FUNCTION slipring.take_follow() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    FOREACH ancestor IN ARRAY st.ancestors LOOP
        @front
        is_clear := is_clear AND front.ring IS NOT NULL AND NOT slipring.has_words(front);
        head := least(head, coalesce(front.high, 0));
    END LOOP;
    IF head > s.claimed THEN
        -- After the look at how far they are, and in one statement with one snapshot: what
        -- they set aside in front of that, or were done with late, stands in the one table
        -- or in the other. Up to the nearest such message everything is ordinary.
        SELECT min(x.position) INTO near FROM unnest(st.ancestors || stage_name) n,
            LATERAL ((SELECT a.position FROM slipring.aside a WHERE a.ring = @ring
                AND n <> stage_name AND a.stage = n AND a.lane = at_lane
                AND a.position >= s.claimed AND a.position < head AND a.blocks
                ORDER BY a.position LIMIT 1)
            UNION ALL (SELECT a.position FROM slipring.arrival a WHERE a.ring = @ring
                AND a.stage = n AND a.lane = at_lane
                AND a.position >= s.claimed AND a.position < head
                ORDER BY a.position LIMIT 1)) x;
        is_clear := is_clear AND near IS NULL;
        head := least(head, near);
    END IF;
    upto := head;
$own$ $outer$;

-- Hands out the slots of a segment (t) behind a position (since).
CREATE FUNCTION slipring.take_slots() RETURNS text LANGUAGE sql IMMUTABLE AS $outer$ SELECT $own$
    FOR slot IN SELECT x.until, x.n, x.total, x.size, x.pushed_at,
            CASE WHEN x.size > @bytes_of_piece AND x.producer = own_by
                AND x.number BETWEEN own_from AND own_to THEN NULL ELSE x.body END AS body,
            CASE WHEN x.producer = own_by THEN x.number END AS number FROM @segment x
            WHERE x.lane = at_lane AND NOT x.rest AND x.until > since
            ORDER BY x.until LIMIT free LOOP
        EXIT WHEN slot.until - slot.n >= upto;
        IF slot.until - slot.n > since AND (till IS NULL OR s.seg <> t) THEN
            -- A gap, or a slot that was not there yet when an earlier segment was looked at. A look
            -- at all segments at one time can tell.
            is_clear := false;
            EXIT;
        END IF;
        RETURN NEXT ROW(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL,
            slot.until - slot.n, slot.pushed_at, slot.size, slot.body,
            slot.number, NULL)::slipring.taken;
        IF slot.size > @bytes_of_piece AND slot.body IS NOT NULL THEN
            RETURN QUERY SELECT NULL::text, NULL::text, NULL::bigint, NULL::int, NULL::bigint,
                NULL::boolean, NULL::bigint, NULL::bigint, NULL::int, NULL::int,
                NULL::bigint[], NULL::bigint, NULL::timestamptz, NULL::int, x.body,
                NULL::bigint, NULL::boolean FROM @segment x
                WHERE x.lane = at_lane AND x.rest AND x.until = slot.until
                ORDER BY x.part;
        END IF;
        IF slot.until - slot.n > since THEN
            -- A push that was rolled back left a gap.
            held := held + int8multirange(int8range(run, since));
            since := slot.until - slot.n;
            run := since;
        END IF;
        till := least(slot.until, since + free, upto);
        free := free - (till - since);
        bytes := bytes + slot.size;
        s.seg := t;
        s.passed := CASE till WHEN slot.until THEN slot.total ELSE slot.total - slot.size END;
        since := till;
        EXIT WHEN free = 0 OR bytes >= @bytes_of_claim OR since >= head;
    END LOOP;
$own$ $outer$;

-- Moves the gate as far as the word allows. If no other stage can hold it, and it does not go back,
-- that is known here.
CREATE FUNCTION slipring.take_move_gate() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    IF st.alone AND total IS NOT NULL AND done >= pg_sequence_last_value(@word_gate) THEN
        ok := setval(@word_freed, total) >= 0 AND setval(@word_gate, done) >= 0;
    ELSE
        PERFORM slipring.move_gate((SELECT r FROM slipring.ring r WHERE r.id = @ring),
            stage_name, of_lane, done, total);
    END IF;
$own$ $outer$;

-- Ends a look that found nothing new: there is nothing, or the whole way looks.
CREATE FUNCTION slipring.take_claim_nothing() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    IF word_lane IS NOT NULL THEN
        @append
    END IF;
    IF is_clear AND st.due IS NULL THEN
        RETURN NEXT ROW('nothing', 'nothing to claim', slipring.millis_to(first_at), 0, 0,
            false, 0, 0, 0, 0, '{}', NULL, NULL, NULL, NULL, NULL,
            NULL)::slipring.taken;
    ELSE
        RETURN QUERY SELECT x.* FROM slipring.ring r, slipring.claim_slots(r.name, stage_name,
            most, by_worker, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, own_by,
            own_from, own_to, CASE WHEN whole OR st.follows THEN look_at END) x
            WHERE r.id = @ring;
    END IF;
$own$ $outer$;

-- Makes the claim of the slots that were found. Their rows are on their way already.
CREATE FUNCTION slipring.take_make_claim() RETURNS text LANGUAGE sql IMMUTABLE
    AS $outer$ SELECT $own$
    held := held + int8multirange(int8range(run, till));
    s.claimed := till;
    s.epoch := slipring.next_epoch(s.epoch);
    h := ROW(s.epoch, false, held, 1, by_worker,
        clock_timestamp() + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
    s.hands := s.hands || h;
    s.done := least(s.done, lower(held));
    s.expires := least(s.expires, h.expires);
    @append
    RETURN NEXT ROW('claimed', NULL, 0, at_lane, s.epoch, false, st.lease_ms, 0, 0, 1,
        CASE run WHEN lower(held) THEN ARRAY[run, till] ELSE slipring.bounds(held) END, NULL,
        h.expires, NULL, NULL, NULL, st.ordered)::slipring.taken;
$own$ $outer$;
