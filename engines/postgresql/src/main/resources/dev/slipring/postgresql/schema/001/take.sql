-- SPDX-License-Identifier: Apache-2.0
-- The ordinary word with the ordinary claim: all is done, and what is new comes next. ------------

-- Takes a word "all is done" in memory, if it is ordinary: its claim is in hand, there is no other
-- word on it, and its lane has nothing dropped. Null: it is not ordinary.
CREATE FUNCTION slipring.plainly_done(s slipring.strand, of_epoch bigint)
    RETURNS slipring.strand LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    h slipring.hand;
    kept slipring.hand[] := '{}';
    found_it boolean := false;
BEGIN
    IF s.ring IS NULL OR s.dropped > 0 THEN
        RETURN NULL;
    END IF;
    FOREACH h IN ARRAY s.hands LOOP
        IF h.epoch <> of_epoch THEN
            kept := kept || h;
        ELSIF h.retry OR h.expires <= clock_timestamp()
                OR slipring.is_spoken_for(s.ring, s.stage, s.lane, h.epoch, h.said) THEN
            RETURN NULL;
        ELSE
            found_it := true;
        END IF;
    END LOOP;
    IF NOT found_it THEN
        RETURN NULL;
    END IF;
    s.hands := kept;
    RETURN slipring.derived(s);
END $$;

-- Whether the stage keeps something in front of what it has claimed, as it may after a rewind,
-- which does not show in the strand if nothing was done of what the stage had claimed.
CREATE FUNCTION slipring.keeps_ahead(s slipring.strand) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT min(a.position) FROM slipring.aside a WHERE a.ring = s.ring
        AND a.stage = s.stage AND a.lane = s.lane AND a.position >= s.claimed) IS NOT NULL;
END $$;

-- Takes the word that all of an earlier claim is done (of_epoch; negative: there is none), and
-- hands out what is new; the look for that begins at a lane (look_at). What is not ordinary goes
-- the whole way of slipring.claim_slots. Rows without a status are pieces of slots in their order.
-- In a row that goes on with a slot, first is null.
--
-- A look that is not calm first looks at everything that the whole way could find other than new
-- messages: what the stage keeps, and leases, rewinds and words in all lanes. It also looks at
-- lanes that all stages seem to be done with, as a word that was rolled back may have moved the
-- gate. If there is nothing, it goes on as a calm look, from a random lane, so that a lane that is
-- always full keeps no other waiting. If that lane has something that is not ordinary, the whole
-- way begins with it.
--
-- A stage that follows others may take what all of them are past, up to the first message that one
-- of them keeps back; from there the whole way goes on.
--
-- It reads the strands only of lanes that not all stages are done with: a claim in hand keeps the
-- gate of its lane. So it knows as well as the whole way when there is nothing, unless some message
-- of the stage waits for a retry. What runs for every claim has the strand in a variable and is
-- written out here: to call a function with it would cost more than what the function does.
CREATE FUNCTION slipring.make_take(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    lanes int := (SELECT x.lanes FROM slipring.ring x WHERE x.id = ring_id);
    body text := $own$
DECLARE
    st record;
    s slipring.strand;
    ancestor text;
    front slipring.strand;
    near bigint;
    upto bigint;
    whole boolean := NOT calm;
    h slipring.hand;
    page smallint;
    before bigint;
    done bigint;
    total bigint;
    word_lane int;
    at_lane int;
    head bigint;
    gate bigint;
    is_clear boolean := true;
    first_at timestamptz;
    turn bigint;
    t bigint;
    slot record;
    held int8multirange := '{}';
    run bigint;
    since bigint;
    till bigint;
    free bigint := most;
    bytes bigint := 0;
    ok boolean;
BEGIN
    UNLISTEN slipring_nobody; -- As in slipring.may.
    IF session_user <> current_user OR current_setting('role') <> 'none' THEN
        PERFORM slipring.may(@ring, 'consume');
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM slipring.see_all();
    END IF;
    ok := set_config('synchronous_commit', 'off', true) IS NULL;
    IF of_epoch < 0 THEN
        of_lane := NULL;
        of_epoch := NULL;
    END IF;
    IF of_epoch IS NOT NULL THEN
        -- Before the stages are read: a change of them takes the locks of all lanes. Two
        -- assignments: void is not null, so an AND would leave out the second lock.
        ok := pg_advisory_xact_lock(slipring.hand_lock(@ring, stage_name, of_lane, of_epoch))
            IS NULL;
        ok := pg_advisory_xact_lock(slipring.strand_lock(@ring, stage_name, of_lane)) IS NULL;
    END IF;
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
    IF NOT calm AND st.plain AND st.due IS NULL THEN
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
    END IF;
    calm := calm AND coalesce(st.plain AND coalesce(st.due > clock_timestamp(), true), false);
    IF calm AND of_epoch IS NOT NULL THEN
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
    END IF;
    IF NOT calm THEN
        RETURN QUERY SELECT x.* FROM slipring.ring r, slipring.claim_slots(r.name, stage_name,
            most, by_worker, NULL, of_lane, of_epoch, false, '{}', '{}', '{}', '{}', 'done',
            own_by, own_from, own_to) x WHERE r.id = @ring;
        RETURN;
    END IF;
    turn := pg_sequence_last_value('slipring.turn_@ring');
    FOR i IN 0..@lanes - 1 LOOP
        at_lane := (look_at + i) % @lanes;
        head := pg_sequence_last_value(@head);
        gate := pg_sequence_last_value(@gate);
        IF head <= gate THEN
            -- A gate that is ahead may hide something, so then there is no answer "nothing".
            is_clear := is_clear AND head = gate;
            CONTINUE;
        END IF;
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
        -- What is set aside stands in front of the claims, unless the stage was rewound. A rewind
        -- does not show if nothing was done of what the stage had claimed.
        is_clear := is_clear AND s.ring IS NOT NULL AND s.dropped = 0 AND s.claimed >= s.high
            AND coalesce(s.expires > clock_timestamp(), true)
            AND (s.waiting + s.dead = 0 OR NOT slipring.keeps_ahead(s));
        IF st.follows AND head > s.claimed THEN
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
        END IF;
        IF head > s.claimed AND s.dropped = 0 AND s.claimed >= s.high
                AND (s.waiting + s.dead = 0 OR NOT slipring.keeps_ahead(s))
                AND coalesce(s.expires > clock_timestamp(), true)
                AND NOT (st.ordered AND (s.waiting > 0 OR cardinality(s.hands) > 0)) THEN
            since := s.claimed;
            run := since;
            -- What a loop counts is an int; a turn may be larger.
            FOR back IN REVERSE least(turn - s.seg, 7)..0 LOOP
                t := turn - back;
                @slots
                EXIT WHEN free = 0 OR bytes >= @bytes_of_claim OR since >= head;
            END LOOP;
            EXIT WHEN till IS NOT NULL;
        END IF;
        IF cardinality(s.hands) > 0 THEN
            first_at := least(first_at, s.expires);
            FOREACH h IN ARRAY s.hands LOOP
                is_clear := is_clear AND NOT slipring.is_spoken_for(@ring, stage_name, at_lane,
                    h.epoch, h.said);
            END LOOP;
        END IF;
        -- Other lanes may have something new for ever.
        EXIT WHEN i = 0 AND NOT is_clear AND (whole OR st.follows);
    END LOOP;
    IF done <> before THEN
        IF st.alone AND total IS NOT NULL THEN
            ok := setval(@word_freed, total) >= 0 AND setval(@word_gate, done) >= 0;
        ELSE
            PERFORM slipring.move_gate((SELECT r FROM slipring.ring r WHERE r.id = @ring),
                stage_name, of_lane, done, total);
        END IF;
    END IF;
    IF till IS NULL THEN
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
        RETURN;
    END IF;
    -- What is less than 64 KiB goes into the system's buffers whole.
    IF bytes > 65536 THEN
        PERFORM slipring.send_in_time();
    END IF;
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
END $own$;
BEGIN
    body := replace(body, '@slots', slipring.each_segment('t', slipring.take_slots()));
    body := replace(body, '@read', slipring.each_page('SELECT p.* INTO s FROM @page p'
        || ' WHERE p.ring = @ring AND p.stage = stage_name AND p.lane = at_lane'
        || ' ORDER BY p.no DESC LIMIT 1;', 'pg_sequence_last_value(''slipring.page'')')
        || ' IF NOT FOUND THEN s := slipring.strand_now(@ring, stage_name, at_lane); END IF;');
    body := replace(body, '@front', slipring.each_page('SELECT p.* INTO front FROM @page p'
        || ' WHERE p.ring = @ring AND p.stage = ancestor AND p.lane = at_lane'
        || ' ORDER BY p.no DESC LIMIT 1;', 'pg_sequence_last_value(''slipring.page'')')
        || ' IF NOT FOUND THEN front := slipring.strand_now(@ring, ancestor, at_lane); END IF;');
    body := replace(body, '@append', 's.no := s.no + 1; s.page := page; '
        || slipring.each_page('INSERT INTO @page VALUES (s.*);', 'page'));
    body := replace(body, '@head', slipring.of_lane('head', lanes, 'at_lane'));
    body := replace(body, '@gate', slipring.of_lane('gate', lanes, 'at_lane'));
    body := replace(body, '@word_gate', slipring.of_lane('gate', lanes, 'of_lane'));
    body := replace(body, '@word_freed', slipring.of_lane('freed', lanes, 'of_lane'));
    body := replace(body, '@lanes', lanes::text);
    PERFORM slipring.make_own(ring_id, 'take_@ring(stage_name text, most int, by_worker text,'
        || ' of_lane int, of_epoch bigint, look_at int, calm boolean,'
        || ' own_by bigint DEFAULT NULL, own_from bigint DEFAULT NULL,'
        || ' own_to bigint DEFAULT NULL)'
        || ' RETURNS SETOF slipring.taken', body);
END $make$;

-- The part of take that hands out the slots of a segment (t) behind a position (since).
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
