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
-- written out: to call a function with it would cost more than what the function does. So each step
-- of it is a text that comes in the place of its name: @follow is what take_follow returns.
CREATE FUNCTION slipring.make_take(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    lanes int := (SELECT x.lanes FROM slipring.ring x WHERE x.id = ring_id);
    body text := $own$
DECLARE
    st record;                     -- the stage
    s slipring.strand;             -- the strand in the lane that is looked at
    ancestor text;
    front slipring.strand;         -- that of an ancestor in the lane
    near bigint;                   -- the nearest message that an ancestor keeps back
    upto bigint;                   -- where the ancestors end; null: there are none
    whole boolean := NOT calm;     -- whether everything was to be looked at
    h slipring.hand;
    page smallint;
    before bigint;                 -- how far the stage was done before the word
    done bigint;                   -- and is behind it
    total bigint;                  -- the bytes up to there, ever; null: not known
    word_lane int;                 -- the lane of a word that is not written yet
    at_lane int;
    head bigint;
    gate bigint;
    is_clear boolean := true;      -- whether there is nothing if nothing is found
    first_at timestamptz;          -- when the first lease runs out
    turn bigint;
    t bigint;
    slot record;
    held int8multirange := '{}';   -- what is claimed before the last gap
    run bigint;                    -- where what is claimed behind it begins
    since bigint;                  -- up to where slots were looked at
    till bigint;                   -- the end of the claim; null: there is none
    free bigint := most;           -- how many more messages may be claimed
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
    @look_up_stage
    IF NOT calm AND st.plain AND st.due IS NULL THEN
        @look_at_all
    END IF;
    calm := calm AND coalesce(st.plain AND coalesce(st.due > clock_timestamp(), true), false);
    IF calm AND of_epoch IS NOT NULL THEN
        @say_word
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
        @enter_lane
        -- What is set aside stands in front of the claims, unless the stage was rewound. A rewind
        -- does not show if nothing was done of what the stage had claimed.
        is_clear := is_clear AND s.ring IS NOT NULL AND s.dropped = 0 AND s.claimed >= s.high
            AND coalesce(s.expires > clock_timestamp(), true)
            AND (s.waiting + s.dead = 0 OR NOT slipring.keeps_ahead(s));
        IF st.follows AND head > s.claimed THEN
            @follow
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
        @move_gate
    END IF;
    IF till IS NULL THEN
        @claim_nothing
        RETURN;
    END IF;
    -- What is less than 64 KiB goes into the system's buffers whole.
    IF bytes > 65536 THEN
        PERFORM slipring.send_in_time();
    END IF;
    @make_claim
END $own$;
BEGIN
    body := replace(body, '@look_up_stage', slipring.take_look_up_stage());
    body := replace(body, '@look_at_all', slipring.take_look_at_all());
    body := replace(body, '@say_word', slipring.take_say_word());
    body := replace(body, '@enter_lane', slipring.take_enter_lane());
    body := replace(body, '@follow', slipring.take_follow());
    body := replace(body, '@move_gate', slipring.take_move_gate());
    body := replace(body, '@claim_nothing', slipring.take_claim_nothing());
    body := replace(body, '@make_claim', slipring.take_make_claim());
    body := replace(body, '@slots', slipring.each_segment('t', slipring.take_slots()));
    body := replace(body, '@read', slipring.take_strand('s', 'stage_name'));
    body := replace(body, '@front', slipring.take_strand('front', 'ancestor'));
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
