-- SPDX-License-Identifier: Apache-2.0
-- Changes of a ring. -----------------------------------------------------------------------------

-- Takes in what was said inside transactions, and takes back what rolled-back pushes left in the
-- sequences, so that what is shown is up to date. It leaves a lane alone if there is nothing to
-- take in, or if somebody is at work there, who takes it in.
CREATE FUNCTION slipring.fold_ring(ring_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage;
    lane int;
BEGIN
    PERFORM slipring.may(r.id, 'operate'), slipring.see_all();
    FOR st IN SELECT * FROM slipring.stage x WHERE x.ring = r.id
            ORDER BY cardinality(x.ancestors), x.name LOOP
        FOR lane IN SELECT slipring.behind(ARRAY(SELECT slipring.strand_now(r.id, st.name, l)
                FROM generate_series(0, r.lanes - 1) l)) LOOP
            PERFORM slipring.bring_up(r, st, lane, false);
        END LOOP;
    END LOOP;
    PERFORM slipring.catch_up(r, false), slipring.take_back(r, '{}');
END $$;

-- Locks all strands of a ring and brings them up to date, for a change of its shape. Fails where an
-- open transaction has one of them: a change that waited for it would keep all others waiting.
CREATE FUNCTION slipring.hold_ring(ring_name text) RETURNS void
    LANGUAGE plpgsql SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage;
    before text := current_setting('lock_timeout');
BEGIN
    PERFORM slipring.see_all(), slipring.await_users('{}', slipring.shape_lock(r.id)
        || ARRAY(SELECT slipring.strand_lock(r.id, x.name, l) FROM slipring.stage x,
            generate_series(0, r.lanes - 1) l WHERE x.ring = r.id));
    PERFORM set_config('lock_timeout', slipring.patience() || 'ms', true);
    PERFORM pg_advisory_xact_lock(slipring.shape_lock(r.id));
    FOR st IN SELECT * FROM slipring.stage x WHERE x.ring = r.id
            ORDER BY cardinality(x.ancestors), x.name LOOP
        FOR lane IN 0..r.lanes - 1 LOOP
            PERFORM slipring.bring_up(r, st, lane, true);
        END LOOP;
    END LOOP;
    PERFORM set_config('lock_timeout', before, true);
    PERFORM slipring.catch_up(r, true);
END $$;

-- Before a change takes claims of a stage, or of all stages, away: waits for open transactions that
-- have said a word on them. Fails if one of them goes on for too long.
CREATE FUNCTION slipring.await_words(ring_name text, of_stage text) RETURNS void
    LANGUAGE plpgsql SET row_security = off SET enable_seqscan = off AS $$
DECLARE r slipring.ring := slipring.find(ring_name);
BEGIN
    PERFORM slipring.await_users('{}', ARRAY(SELECT slipring.hand_lock(r.id, x.name, l, h.epoch)
        FROM slipring.stage x, generate_series(0, r.lanes - 1) l,
            unnest((slipring.strand_now(r.id, x.name, l)).hands) h
        WHERE x.ring = r.id AND x.name = coalesce(of_stage, x.name)));
END $$;

-- For each claim that a change takes away, except those that are kept, writes a word: a transaction
-- that does not see the change, and says a word on that claim, meets its number. Fails soon where
-- an open transaction has said a word on one, as all lanes are locked here.
CREATE FUNCTION slipring.take_away(s slipring.strand, kept bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    h slipring.hand;
    before text := current_setting('lock_timeout');
BEGIN
    -- The lock of the hand does not tell this: a worker that settles in a transaction of its own
    -- has it too, while it waits for the strand.
    PERFORM set_config('lock_timeout', '10ms', true);
    FOR h IN SELECT y.* FROM unnest(s.hands) y WHERE y.epoch <> ALL (kept) LOOP
        INSERT INTO slipring.word VALUES ((h.epoch & 3)::smallint, s.ring, s.stage, s.lane,
            h.epoch, h.said + 1, clock_timestamp(), '{}', '{}', '{}', '{}', 'taken')
            ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'a claim was spoken of' USING ERRCODE = 'lock_not_available';
        END IF;
    END LOOP;
    PERFORM set_config('lock_timeout', before, true);
END $$;

-- Writes a strand down as it is given, with only those retries in hand that have their rows.
CREATE FUNCTION slipring.write_down(ring_id bigint, stage_name text, of_lane int,
        numbers bigint[], epochs bigint[], retries boolean[], helds text[], attempts int[],
        workers text[], expiries bigint[], saids int[]) RETURNS void
    LANGUAGE plpgsql SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    before slipring.strand := slipring.strand_now(ring_id, stage_name, of_lane);
    s slipring.strand := before;
    r slipring.ring;
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    s.ring := ring_id;
    s.stage := stage_name;
    s.lane := of_lane;
    s.no := coalesce(s.no, 0);
    s.start := numbers[1];
    s.claimed := numbers[2];
    s.done := numbers[3];
    s.high := numbers[4];
    s.epoch := numbers[5];
    s.waiting := numbers[6];
    s.dead := numbers[7];
    s.dropped := numbers[8];
    s.kept_bytes := numbers[9];
    s.redelivered := numbers[10];
    s.failed := numbers[11];
    s.passed := NULL;
    s.seg := greatest(pg_sequence_last_value(r.turn) - 7, 0);
    s.hands := ARRAY(SELECT ROW(e, y, h::int8multirange, a, w, to_timestamp(x / 1000.0), n)
        ::slipring.hand FROM unnest(epochs, retries, helds, attempts, workers, expiries, saids)
            AS hand (e, y, h, a, w, x, n)
        WHERE NOT y OR EXISTS (SELECT FROM slipring.aside k WHERE k.ring = ring_id
            AND k.stage = stage_name AND k.lane = of_lane AND k.epoch = e));
    s.expires := (SELECT min(h.expires) FROM unnest(s.hands) h);
    PERFORM slipring.take_away(before, ARRAY(SELECT h.epoch FROM unnest(s.hands) h)),
        slipring.append(s);
END $$;
