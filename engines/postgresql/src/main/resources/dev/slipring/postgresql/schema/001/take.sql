-- SPDX-License-Identifier: Apache-2.0
-- The ordinary word with the ordinary claim: all is done, and what is new comes next. --------------

-- Whether a worker said something about a claim that is not folded in.
CREATE FUNCTION slipring.is_spoken_for(ring_id bigint, stage_name text, of_lane int,
        of_epoch bigint, said int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    CASE of_epoch & 3
        WHEN 0 THEN PERFORM FROM slipring.word_0 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 1 THEN PERFORM FROM slipring.word_1 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 2 THEN PERFORM FROM slipring.word_2 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 3 THEN PERFORM FROM slipring.word_3 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
    END CASE;
    RETURN FOUND;
END $$;

-- Takes a word "all is done" in memory, if it is of the ordinary kind: its claim is in hand, nothing
-- else was said about it, and nothing in its lane waits, is dead or ran out. Null: it is not.
CREATE FUNCTION slipring.plainly_done(s slipring.strand, of_epoch bigint)
    RETURNS slipring.strand LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    h slipring.hand;
    kept slipring.hand[] := '{}';
    found_it boolean := false;
BEGIN
    IF s.waiting + s.dead + s.dropped > 0 THEN
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

-- Takes the word on an earlier claim (of_epoch; null: none), that all of it is done, and hands out
-- what is new, looking from a lane on (look_at). What is not of the ordinary kind, and every look
-- that is not calm, goes the whole way of slipring.claim_slots. Rows without a status are pieces of
-- slots in their order: first is null where one goes on.
CREATE FUNCTION slipring.make_take(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    body text := $own$
DECLARE
    r slipring.ring;
    st slipring.stage;
    s slipring.strand;
    next slipring.strand;
    h slipring.hand;
    before bigint;
    total bigint;
    released bigint := 0;
    at_lane int;
    picked boolean := false;
    turn bigint;
    found_row slipring.taken;
    slots refcursor;
    slot record;
    held int8multirange := '{}';
    since bigint;
    till bigint;
    free int := most;
    bytes bigint := 0;
BEGIN
    IF session_user <> current_user OR current_setting('role') <> 'none' THEN
        PERFORM slipring.may(@ring, 'consume');
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM slipring.see_all();
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT * INTO r FROM slipring.ring x WHERE x.id = @ring;
    SELECT * INTO st FROM slipring.stage x WHERE x.ring = @ring AND x.name = stage_name;
    calm := calm AND st.ring IS NOT NULL AND NOT st.paused AND cardinality(st.ancestors) = 0
        AND NOT EXISTS (SELECT FROM slipring.aside a WHERE a.ring = @ring
            AND a.stage = stage_name AND a.state = 'waiting');
    IF calm AND of_epoch IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(slipring.hand_lock(@ring, stage_name, of_lane, of_epoch));
        PERFORM pg_advisory_xact_lock(slipring.strand_lock(@ring, stage_name, of_lane));
        s := slipring.strand_now(@ring, stage_name, of_lane);
        before := s.done;
        IF cardinality(s.hands) = 1 AND s.waiting + s.dead + s.dropped = 0
                AND s.hands[1].epoch = of_epoch AND NOT s.hands[1].retry
                AND s.expires > clock_timestamp()
                AND NOT slipring.is_spoken_for(@ring, stage_name, of_lane, of_epoch,
                    s.hands[1].said) THEN
            s.hands := '{}';
            s.done := s.claimed;
            s.high := greatest(s.high, s.done);
            s.expires := NULL;
            total := s.passed;
        ELSE
            s := slipring.plainly_done(s, of_epoch);
        END IF;
        calm := s.ring IS NOT NULL;
    END IF;
    IF NOT calm THEN
        RETURN QUERY SELECT * FROM slipring.claim_slots(r.name, stage_name, most, by_worker, NULL,
            of_lane, of_epoch, false, '{}', '{}', '{}', '{}', 'done');
        RETURN;
    END IF;
    FOR i IN 0..r.lanes - 1 LOOP
        at_lane := (look_at + i) % r.lanes;
        CONTINUE WHEN pg_sequence_last_value(r.heads[at_lane + 1])
            <= pg_sequence_last_value(r.gates[at_lane + 1]);
        IF at_lane = of_lane THEN
            next := s;
        ELSE
            CONTINUE WHEN NOT pg_try_advisory_xact_lock(
                slipring.strand_lock(@ring, stage_name, at_lane));
            next := slipring.strand_now(@ring, stage_name, at_lane);
        END IF;
        picked := pg_sequence_last_value(r.heads[at_lane + 1]) > next.claimed
            AND next.waiting + next.dead + next.dropped = 0
            AND coalesce(next.expires > clock_timestamp(), true)
            AND NOT (st.ordered AND cardinality(next.hands) > 0);
        EXIT WHEN picked;
    END LOOP;
    IF picked THEN
        turn := pg_sequence_last_value('slipring.turn_@ring');
        since := next.claimed;
        FOR t IN greatest(next.seg, turn - 7)..turn LOOP
            @open
            LOOP
                FETCH slots INTO slot;
                EXIT WHEN NOT FOUND OR free = 0 OR bytes >= 4194304;
                RETURN NEXT ROW(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL,
                    slot.until - slot.n, slot.pushed_at, slot.size, slot.body)::slipring.taken;
                IF slot.size > 8000 THEN
                    @rest
                END IF;
                since := greatest(slot.until - slot.n, since);
                till := least(slot.until, since + free);
                held := held + int8multirange(int8range(since, till));
                free := free - (till - since);
                bytes := bytes + slot.size;
                next.seg := t;
                next.passed := CASE till WHEN slot.until THEN slot.total
                    ELSE slot.total - slot.size END;
                since := till;
            END LOOP;
            CLOSE slots;
            EXIT WHEN free = 0 OR bytes >= 4194304;
        END LOOP;
        picked := till IS NOT NULL;
    END IF;
    IF of_epoch IS NOT NULL THEN
        IF s.done <> before THEN
            released := slipring.move_gate(r, s, total);
        END IF;
        IF NOT picked OR at_lane <> of_lane THEN
            PERFORM slipring.append(s);
        END IF;
    END IF;
    IF NOT picked THEN
        -- Nothing new: perhaps something else.
        FOR found_row IN SELECT * FROM slipring.claim_slots(r.name, stage_name, most, by_worker,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) LOOP
            found_row.released := released;
            RETURN NEXT found_row;
        END LOOP;
        RETURN;
    END IF;
    next.claimed := till;
    next.epoch := slipring.next_epoch(next.epoch);
    h := ROW(next.epoch, false, held, 1, by_worker,
        clock_timestamp() + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
    next.hands := next.hands || h;
    next.done := least(next.done, lower(held));
    next.expires := least(next.expires, h.expires);
    PERFORM slipring.append(next);
    RETURN NEXT ROW('claimed', NULL, 0, at_lane, h.epoch, false, st.lease_ms, 0, 0, released, 1,
        slipring.bounds(held), NULL, h.expires, NULL, NULL)::slipring.taken;
END $own$;
BEGIN
    body := replace(body, '@open', slipring.each_segment('t', 'OPEN slots FOR SELECT x.until, x.n,'
        || ' x.total, x.size, x.pushed_at, x.body FROM @segment x WHERE x.lane = at_lane'
        || ' AND NOT x.rest AND x.until > since ORDER BY x.until LIMIT free;'));
    body := replace(body, '@rest', slipring.each_segment('t', 'RETURN QUERY SELECT NULL::text,'
        || ' NULL::text, NULL::bigint, NULL::int, NULL::bigint, NULL::boolean, NULL::bigint,'
        || ' NULL::bigint, NULL::int, NULL::bigint, NULL::int, NULL::bigint[], NULL::bigint,'
        || ' NULL::timestamptz, NULL::int, x.body FROM @segment x WHERE x.lane = at_lane AND x.rest'
        || ' AND x.until = slot.until ORDER BY x.part;'));
    PERFORM slipring.make_own(ring_id, 'take_@ring(stage_name text, most int, by_worker text,'
        || ' of_lane int, of_epoch bigint, look_at int, calm boolean)'
        || ' RETURNS SETOF slipring.taken', body);
END $make$;
