-- SPDX-License-Identifier: Apache-2.0
-- Claim. -----------------------------------------------------------------------------------------

-- Up to which position of a lane all stages in front are past it.
CREATE FUNCTION slipring.follow_limit(r slipring.ring, st slipring.stage, of_lane int)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    name text;
    s slipring.strand;
    ancestor slipring.stage;
    upto bigint;
BEGIN
    FOREACH name IN ARRAY st.ancestors LOOP
        s := slipring.strand_now(r.id, name, of_lane);
        IF slipring.has_words(s) THEN
            ancestor := slipring.find_stage(r, name);
            IF slipring.bring_up(r, ancestor, of_lane, false) THEN
                s := slipring.strand_now(r.id, name, of_lane);
            END IF;
        END IF;
        -- Nothing where it is lost how far that stage is.
        upto := least(upto, coalesce(s.high, 0));
    END LOOP;
    RETURN upto;
END $$;

-- Whether a message of a stage waits for a retry, or is in hand for one.
CREATE FUNCTION slipring.awaits_retry(ring_id bigint, stage_name text) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    -- The least, and not whether there is one, as in behind.
    RETURN (SELECT min(a.due) FROM slipring.aside a WHERE a.ring = ring_id AND a.stage = stage_name
        AND a.state = 'waiting') IS NOT NULL;
END $$;

-- Takes in what was said in transactions about retries of the stages in front: once one is done,
-- its message is on its way. Perhaps nobody works on those stages any more.
CREATE FUNCTION slipring.bring_up_front(r slipring.ring, st slipring.stage) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    front slipring.stage;
    s slipring.strand;
BEGIN
    FOR front IN SELECT * FROM slipring.stage x WHERE x.ring = r.id AND x.name = ANY (st.ancestors)
            AND slipring.awaits_retry(r.id, x.name) LOOP
        FOR lane IN 0..r.lanes - 1 LOOP
            s := slipring.strand_now(r.id, front.name, lane);
            IF s.waiting > 0 AND slipring.has_words(s) THEN
                PERFORM slipring.bring_up(r, front, lane, false);
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- Claims what is new in a lane; if there is nothing, nothing is in hand.
CREATE FUNCTION slipring.claim_new(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        most int, by_worker text, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    upto bigint := slipring.follow_limit(r, st, s.lane);
    turn bigint;
    slot record;
    since bigint;
    till bigint;
    free bigint := most;
    bytes bigint := 0;
    held int8multirange := '{}';
    kept int8multirange;
BEGIN
    IF st.ordered AND cardinality(s.hands) > 0 THEN
        RETURN;
    END IF;
    IF st.ordered AND s.waiting > 0 THEN
        -- A stage that was rewound comes again to what is set aside in front of it, which waits
        -- until then.
        upto := least(upto, (SELECT min(a.position) FROM slipring.aside a WHERE a.ring = s.ring
            AND a.stage = s.stage AND a.lane = s.lane AND a.state = 'waiting'));
    END IF;
    LOOP
        since := s.claimed;
        till := NULL;
        turn := pg_sequence_last_value(r.turn);
        FOR slot IN EXECUTE format(
                'SELECT until, n, turn, total, size FROM %s x'
                || ' ORDER BY until LIMIT $3',
                slipring.segments(r.id, s.seg, turn,
                    'lane = $1 AND until > $2 ORDER BY until LIMIT $3'))
                USING s.lane, since, free LOOP
            EXIT WHEN upto <= greatest(slot.until - slot.n, since) OR free = 0
                OR bytes >= slipring.bytes_of_claim();
            since := greatest(slot.until - slot.n, since);
            till := least(slot.until, upto, since + free);
            held := held + int8multirange(int8range(since, till));
            free := free - (till - since);
            bytes := bytes + slot.size;
            s.seg := greatest(s.seg, slot.turn);
            s.passed := CASE till WHEN slot.until THEN slot.total
                ELSE slot.total - slot.size END;
            since := till;
        END LOOP;
        EXIT WHEN till IS NULL;
        IF s.waiting + s.dead + s.dropped > 0 OR cardinality(st.ancestors) > 0 THEN
            -- One statement sees one snapshot: what leaves the one table comes into the other.
            WITH own AS (SELECT a.position FROM slipring.aside a WHERE a.ring = s.ring
                    AND a.lane = s.lane AND a.position >= s.claimed AND a.position < till
                    AND (a.stage = s.stage OR a.stage = ANY (st.ancestors) AND a.blocks)
                    UNION ALL SELECT x.position FROM slipring.arrival x WHERE x.ring = s.ring
                    AND x.stage = ANY (st.ancestors) AND x.lane = s.lane
                    AND x.position >= s.claimed AND x.position < till),
                here AS (DELETE FROM slipring.arrival x WHERE x.ring = s.ring
                    AND x.stage = s.stage AND x.lane = s.lane AND x.position >= s.claimed
                    AND x.position < till)
                SELECT slipring.points(array_agg(own.position)) INTO kept FROM own;
            held := held - kept;
        END IF;
        s.claimed := till;
        EXIT WHEN NOT isempty(held);
        free := most;
        bytes := 0;
    END LOOP;
    IF NOT isempty(held) THEN
        s.epoch := slipring.next_epoch(s.epoch);
        h := ROW(s.epoch, false, held, 1, by_worker,
            clock_timestamp() + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
        s.hands := s.hands || h;
    END IF;
END $$;

-- Why a stage hands out nothing new, because of what it keeps; null if it may.
CREATE FUNCTION slipring.stalled(r slipring.ring, st slipring.stage, kept numeric, bytes numeric)
    RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT format('stage ''%s'' keeps %s messages with %s bytes set aside or dead,'
        || ' which is its'
        || ' limit; retry or drop its dead letters', st.name, kept, bytes)
    WHERE kept >= st.keep OR bytes >= r.bytes);
END $$;

-- The client has to take what this transaction sends within a minute, or the connection is ended: a
-- client that is stopped would keep the strand for as long as it is. If the system can buffer what
-- is sent, there is no wait. Other systems than Linux would log each try in the server's log.
CREATE FUNCTION slipring.send_in_time() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('tcp_user_timeout') = '0' AND version() LIKE '%linux%' THEN
        PERFORM set_config('tcp_user_timeout', '60s', true);
    END IF;
END $$;

-- A claim that has been made, as the rows that its worker gets, from the segments of some turns.
CREATE FUNCTION slipring.hand_over(r slipring.ring, st slipring.stage, of_lane int,
        h slipring.hand, said slipring.settled, from_turn bigint, to_turn bigint, own_by bigint,
        own_from bigint, own_to bigint) RETURNS SETOF slipring.taken
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT ROW('claimed', NULL, 0, of_lane, h.epoch, h.retry, st.lease_ms, said.remains,
        said.died, h.attempt, slipring.bounds(h.held), NULL, h.expires,
        NULL, NULL, NULL, st.ordered)::slipring.taken;
    IF h.retry THEN
        RETURN QUERY SELECT NULL::text, NULL::text, NULL::bigint, NULL::int, NULL::bigint,
            NULL::boolean, NULL::bigint, NULL::bigint, NULL::int, a.attempts,
            NULL::bigint[], a.position, a.pushed_at, NULL::int, a.message,
            NULL::bigint, NULL::boolean
            FROM slipring.aside a WHERE a.ring = r.id AND a.stage = st.name AND a.lane = of_lane
            AND a.position = ANY (ARRAY(SELECT slipring.each(h.held))) ORDER BY a.position;
    ELSE
        RETURN QUERY EXECUTE format('SELECT NULL::text, NULL::text, NULL::bigint, NULL::int,'
            || ' NULL::bigint, NULL::boolean, NULL::bigint, NULL::bigint, NULL::int,'
            || ' $4, NULL::bigint[], until - n, pushed_at, NULL::int,'
            || ' CASE WHEN size > slipring.bytes_of_piece() AND producer = $5'
            || ' AND number BETWEEN $6 AND $7 THEN NULL ELSE body END,'
            || ' CASE WHEN producer = $5 THEN number END, NULL::boolean'
            || ' FROM %s x'
            || ' ORDER BY until',
            slipring.segments(r.id, from_turn, to_turn, slipring.between_positions()))
            USING of_lane, lower(h.held), upper(h.held), h.attempt, own_by, own_from,
                own_to;
    END IF;
    PERFORM slipring.send_in_time();
END $$;

-- How many milliseconds are left until a time, at least one; null for never.
CREATE FUNCTION slipring.millis_to(at timestamptz) RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN at IS NOT NULL
        THEN greatest(ceil(extract(epoch FROM at - clock_timestamp()) * 1000), 1)::bigint END
$$;

-- Keeps a strand once the transaction that has it gives it back. Waits for no longer than a
-- transaction would work on it: one may have been left open, and other lanes may have something
-- meanwhile.
CREATE FUNCTION slipring.await_strand(ring_id bigint, stage_name text, of_lane int) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    before text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', '250ms', true);
    PERFORM pg_advisory_xact_lock(slipring.strand_lock(ring_id, stage_name, of_lane));
    PERFORM set_config('lock_timeout', before, true);
EXCEPTION WHEN lock_not_available THEN
    RETURN;
END $$;

-- When the clock alone may bring a claim of a stage something; null if it will not.
CREATE FUNCTION slipring.next_again(st slipring.stage, strands slipring.strand[])
    RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
    -- In a lane that an ordered stage has in hand, what is due waits. What ran out there waits for
    -- what is set aside in front of it, and that for the first that is.
    next_at timestamptz := least((SELECT min(x.expires) FROM unnest(strands) x
            WHERE NOT st.ordered OR x.waiting = 0 OR x.expires > clock_timestamp()),
        CASE WHEN st.ordered THEN (SELECT min(first.due) FROM unnest(strands) x,
            LATERAL (SELECT a.due, a.position FROM slipring.aside a WHERE a.ring = st.ring
                AND a.stage = st.name AND a.lane = x.lane AND a.state = 'waiting'
                ORDER BY a.position LIMIT 1) first
            WHERE first.position <= x.claimed AND coalesce(x.expires <= clock_timestamp(), true))
        ELSE (SELECT min(a.due) FROM slipring.aside a WHERE a.ring = st.ring
            AND a.stage = st.name AND a.state = 'waiting') END);
BEGIN
    -- What is long over, a transaction that is open speaks of.
    RETURN CASE WHEN next_at >= clock_timestamp() - interval '0.1 seconds' THEN next_at END;
END $$;

-- Hands out messages of a stage, after a word on an earlier claim if there is one (epoch not null).
-- If others are working on every lane that has something, the status is busy; the same call with
-- that lane waits for it. The status is left if others still have one after that. The look for what
-- is new begins at a lane (look_at; null: at any).
CREATE FUNCTION slipring.claim_slots(ring_name text, stage_name text, most int, by_worker text,
        wait_for int, of_lane int, of_epoch bigint, of_retry boolean, done bigint[],
        failed bigint[], errors text[], waits bigint[], rest text, own_by bigint DEFAULT NULL,
        own_from bigint DEFAULT NULL, own_to bigint DEFAULT NULL, look_at int DEFAULT NULL)
    RETURNS SETOF slipring.taken
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage;
    s slipring.strand;
    t record;
    said slipring.settled;
    h slipring.hand;
    strands slipring.strand[];
    peek record;
    busy int;
    left_out int[] := '{}';
    before bigint;
    from_turn bigint;
    ran_out record;
    due record;
    step text;
    lane int;
    first_lane int;
    reason text;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    PERFORM slipring.see_all();
    st := slipring.find_stage(r, stage_name);
    IF of_epoch IS NOT NULL THEN
        said := slipring.settle(ring_name, st.name, of_lane, of_epoch, of_retry, done, failed,
            errors, waits, rest);
        IF said.status <> 'ok' THEN
            RETURN NEXT ROW(said.status, said.reason, 0, of_lane, of_epoch, of_retry, 0, 0, 0,
                0, '{}', NULL, NULL, NULL, NULL, NULL, NULL)::slipring.taken;
            RETURN;
        END IF;
    END IF;
    IF st.paused THEN
        RETURN NEXT ROW('nothing', format('stage ''%s'' is paused', st.name), NULL, 0, 0, false,
            0, said.remains, said.died, 0, '{}', NULL, NULL, NULL,
            NULL, NULL, NULL)::slipring.taken;
        RETURN;
    END IF;
    IF wait_for IS NOT NULL THEN
        PERFORM slipring.await_strand(r.id, st.name, wait_for);
    END IF;
    PERFORM slipring.bring_up_front(r, st);
    strands := ARRAY(SELECT slipring.strand_now(r.id, st.name, l)
        FROM generate_series(0, r.lanes - 1) l);
    FOR lane IN SELECT slipring.behind(strands) LOOP
        IF slipring.bring_up(r, st, lane, false) THEN
            strands[lane + 1] := slipring.strand_now(r.id, st.name, lane);
        ELSE
            -- What is to be taken in there may be something to claim.
            busy := coalesce(busy, lane);
        END IF;
    END LOOP;
    first_lane := coalesce(look_at % r.lanes, floor(random() * r.lanes)::int);
    SELECT x.lane, x.expires INTO ran_out FROM unnest(strands) x ORDER BY x.expires LIMIT 1;
    -- The clock is looked at for the first row alone: else for all rows that are not due.
    SELECT x.* INTO due FROM (SELECT a.lane, a.due FROM slipring.aside a WHERE a.ring = r.id
            AND a.stage = st.name AND a.state = 'waiting' ORDER BY a.due LIMIT 1) x
        WHERE x.due <= clock_timestamp() AND NOT st.ordered;
    -- What has waited longest comes first, then what is new.
    FOREACH step IN ARRAY CASE WHEN due.due < ran_out.expires THEN '{due,ran out,new}'::text[]
            ELSE '{ran out,due,new}' END LOOP
        IF step = 'new' THEN
            -- What died in the steps before counts too.
            SELECT sum(x.waiting + x.dead) AS kept, sum(x.kept_bytes) AS bytes INTO peek
                FROM unnest(strands) x;
            reason := slipring.stalled(r, st, peek.kept, peek.bytes);
            CONTINUE WHEN reason IS NOT NULL AND NOT st.ordered;
        END IF;
        CONTINUE WHEN step = 'ran out' AND NOT st.ordered
            AND coalesce(ran_out.expires > clock_timestamp(), true);
        CONTINUE WHEN step = 'due' AND due.lane IS NULL;
        FOR i IN 0..r.lanes - 1 LOOP
            lane := (CASE WHEN step = 'due' THEN due.lane
                WHEN step = 'ran out' AND NOT st.ordered THEN ran_out.lane
                ELSE first_lane END + i) % r.lanes;
            s := strands[lane + 1];
            CONTINUE WHEN CASE step
                WHEN 'ran out' THEN coalesce(s.expires > clock_timestamp(), s.waiting = 0)
                WHEN 'due' THEN s.waiting = 0
                -- A stalled stage comes to what it keeps in front of itself only by way of the new
                -- messages that are between.
                ELSE pg_sequence_last_value(r.heads[lane + 1]) <= s.claimed
                    OR reason IS NOT NULL AND s.waiting = 0
                END;
            -- Somebody had the lane when its old messages were looked for, so they may still be
            -- there.
            IF lane = ANY (left_out)
                    OR NOT pg_try_advisory_xact_lock(slipring.strand_lock(r.id, st.name, lane)) THEN
                busy := coalesce(busy, lane);
                left_out := left_out || lane;
                CONTINUE;
            END IF;
            IF slipring.find_stage(r, st.name) IS DISTINCT FROM st THEN
                -- It was changed before this had the lane, perhaps paused: the caller looks again.
                -- Where it was removed this has said so.
                busy := coalesce(busy, lane);
                left_out := left_out || lane;
                CONTINUE;
            END IF;
            s := slipring.strand_now(r.id, st.name, lane);
            before := s.done;
            s := slipring.fold(r, st, s);
            from_turn := CASE step WHEN 'new' THEN s.seg ELSE 0 END;
            LOOP
                IF step = 'new' THEN
                    SELECT * INTO t FROM slipring.claim_new(r, st, s, most, by_worker);
                ELSE
                    SELECT * INTO t
                        FROM slipring.claim_again(r, st, s, most, by_worker, step = 'due');
                END IF;
                EXIT WHEN t.s IS NOT DISTINCT FROM s OR (t.h).epoch IS NOT NULL;
                s := t.s;
            END LOOP;
            s := t.s;
            h := t.h;
            IF s IS DISTINCT FROM strands[lane + 1] THEN
                PERFORM slipring.write_strand(r, s, before);
                strands[lane + 1] := slipring.strand_now(r.id, st.name, lane);
            END IF;
            IF h.epoch IS NOT NULL THEN
                RETURN QUERY SELECT * FROM slipring.hand_over(r, st, lane, h, said, from_turn,
                    CASE step WHEN 'new' THEN s.seg ELSE pg_sequence_last_value(r.turn) END,
                    own_by, own_from, own_to);
                RETURN;
            END IF;
        END LOOP;
    END LOOP;
    RETURN NEXT ROW(CASE WHEN busy IS NULL THEN 'nothing' WHEN wait_for IS NULL THEN 'busy'
            ELSE 'left' END,
        coalesce(reason, 'nothing to claim'), slipring.millis_to(slipring.next_again(st, strands)),
        coalesce(busy, 0), 0, false, 0,
        said.remains, said.died, 0, '{}', NULL, NULL, NULL, NULL,
        NULL, NULL)::slipring.taken;
END $$;
