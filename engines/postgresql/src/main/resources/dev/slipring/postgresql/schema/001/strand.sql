-- SPDX-License-Identifier: Apache-2.0
-- Strands. --------------------------------------------------------------------------------------

-- The row that holds. The pages only grow, so the first page with a row of the strand, from the
-- present one backwards, has the last of them. Without the strand's lock a row may be carried from
-- an older page to the present one between two looks: then the second time it stands there.
CREATE FUNCTION slipring.strand_now(ring_id bigint, stage_name text, of_lane int)
    RETURNS slipring.strand LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    s slipring.strand;
    page bigint;
    before bigint;
BEGIN
    FOR look IN 1..3 LOOP
        before := s.no;
        page := pg_sequence_last_value('slipring.page');
        FOR back IN 0..3 LOOP
            CASE (page - back) & 3
                WHEN 0 THEN SELECT * INTO s FROM slipring.strand_0 t WHERE t.ring = ring_id
                    AND t.stage = stage_name AND t.lane = of_lane ORDER BY t.no DESC LIMIT 1;
                WHEN 1 THEN SELECT * INTO s FROM slipring.strand_1 t WHERE t.ring = ring_id
                    AND t.stage = stage_name AND t.lane = of_lane ORDER BY t.no DESC LIMIT 1;
                WHEN 2 THEN SELECT * INTO s FROM slipring.strand_2 t WHERE t.ring = ring_id
                    AND t.stage = stage_name AND t.lane = of_lane ORDER BY t.no DESC LIMIT 1;
                WHEN 3 THEN SELECT * INTO s FROM slipring.strand_3 t WHERE t.ring = ring_id
                    AND t.stage = stage_name AND t.lane = of_lane ORDER BY t.no DESC LIMIT 1;
            END CASE;
            EXIT WHEN FOUND;
        END LOOP;
        EXIT WHEN s.page = page & 3 OR look > 1 AND s.no IS NOT DISTINCT FROM before;
    END LOOP;
    RETURN s;
END $$;

CREATE FUNCTION slipring.points(positions bigint[]) RETURNS int8multirange
    LANGUAGE plpgsql IMMUTABLE AS
    $$
BEGIN
    RETURN (SELECT coalesce(range_agg(int8range(p, p + 1)), '{}') FROM unnest(positions) p);
END $$;

CREATE FUNCTION slipring.each(held int8multirange) RETURNS SETOF bigint
    LANGUAGE plpgsql IMMUTABLE AS
    $$
BEGIN
    RETURN QUERY SELECT p FROM unnest(held) x, generate_series(lower(x), upper(x) - 1) p;
END $$;

CREATE FUNCTION slipring.count(held int8multirange) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE AS
    $$
BEGIN
    RETURN (SELECT coalesce(sum(upper(x) - lower(x)), 0)::bigint FROM unnest(held) x);
END $$;

-- The part of a claim that stands in the order of the lane.
CREATE FUNCTION slipring.oldest_held(hands slipring.hand[]) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE AS
    $$
BEGIN
    RETURN (SELECT min(lower(h.held)) FROM unnest(hands) h WHERE NOT h.retry);
END $$;

-- Brings a strand's derived sequences to where its claims leave them.
CREATE FUNCTION slipring.derived(s slipring.strand) RETURNS slipring.strand
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF cardinality(s.hands) = 0 THEN
        s.done := s.claimed;
        s.high := greatest(s.high, s.done);
        s.expires := NULL;
        RETURN s;
    END IF;
    s.done := coalesce(slipring.oldest_held(s.hands), s.claimed);
    s.high := greatest(s.high, s.done);
    s.expires := (SELECT min(h.expires) FROM unnest(s.hands) h);
    RETURN s;
END $$;

CREATE FUNCTION slipring.append(s slipring.strand) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    s.page := pg_sequence_last_value('slipring.page') & 3;
    s.no := s.no + 1;
    CASE s.page
        WHEN 0 THEN INSERT INTO slipring.strand_0 VALUES (s.*);
        WHEN 1 THEN INSERT INTO slipring.strand_1 VALUES (s.*);
        WHEN 2 THEN INSERT INTO slipring.strand_2 VALUES (s.*);
        WHEN 3 THEN INSERT INTO slipring.strand_3 VALUES (s.*);
    END CASE;
END $$;

-- Sets the gate of a lane, before which so many bytes of it were pushed (total). If it goes back,
-- the ring holds more than before: then the credit that its lanes got meanwhile is taken away.
CREATE FUNCTION slipring.set_gate(r slipring.ring, of_lane int, gate bigint, total bigint)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE before bigint := pg_sequence_last_value(r.gates[of_lane + 1]);
BEGIN
    PERFORM setval(r.freed[of_lane + 1], total), setval(r.gates[of_lane + 1], gate);
    IF gate < before THEN
        PERFORM slipring.no_credit(r.id);
    END IF;
END $$;

-- Whether this transaction has said a word on a ring that it may still take back. The gates, as
-- sequences, would not go back with it, so it moves none there; whoever looks for room later does.
CREATE FUNCTION slipring.has_said(r slipring.ring) RETURNS boolean LANGUAGE sql STABLE AS
    $$ SELECT current_setting('slipring.said_' || r.id, true) IS NOT DISTINCT FROM 'yes' $$;

-- Moves the gate of a lane to the slowest stage. A caller who knows how many bytes of the lane were
-- pushed before the point where the strand is done (total) saves a look.
CREATE FUNCTION slipring.move_gate(r slipring.ring, stage_name text, of_lane int, done bigint,
        total bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    gate bigint := done;
    other text;
BEGIN
    FOR other IN SELECT x.name FROM slipring.stage x WHERE x.ring = r.id AND x.name <> stage_name
            LOOP
        gate := least(gate, (slipring.strand_now(r.id, other, of_lane)).done);
    END LOOP;
    IF gate = pg_sequence_last_value(r.gates[of_lane + 1]) OR slipring.has_said(r) THEN
        RETURN;
    END IF;
    IF gate <> done OR total IS NULL THEN
        total := slipring.bytes_below(r, of_lane, gate);
    END IF;
    PERFORM slipring.set_gate(r, of_lane, gate, total);
END $$;

-- Brings gates to where the slowest stage is: two stages that are done with a lane at the same time
-- do not see each other, and leave its gate behind. A caller who has the locks of all strands
-- (held) also brings back a gate that was moved by a word that was rolled back. For others this
-- leaves the gates alone during a change, as that may bring back a stage which is still seen where
-- it was. The lock for that is given back at once, even if the transaction around this goes on.
CREATE FUNCTION slipring.catch_up(r slipring.ring, held boolean) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    gate bigint;
    kept bigint;
BEGIN
    kept := CASE WHEN NOT held AND pg_try_advisory_lock_shared(slipring.shape_lock(r.id))
        THEN slipring.shape_lock(r.id) END;
    IF NOT held AND kept IS NULL THEN
        RETURN;
    END IF;
    FOR lane IN 0..r.lanes - 1 LOOP
        SELECT min((slipring.strand_now(r.id, x.name, lane)).done) INTO gate
            FROM slipring.stage x WHERE x.ring = r.id;
        IF gate > pg_sequence_last_value(r.gates[lane + 1]) AND NOT slipring.has_said(r)
                OR held AND gate < pg_sequence_last_value(r.gates[lane + 1]) THEN
            PERFORM slipring.set_gate(r, lane, gate, slipring.bytes_below(r, lane, gate));
        END IF;
    END LOOP;
    kept := CASE WHEN NOT pg_advisory_unlock_shared(kept) THEN kept END;
EXCEPTION WHEN query_canceled OR OTHERS THEN
    IF kept IS NOT NULL THEN
        PERFORM pg_advisory_unlock_shared(kept);
    END IF;
    RAISE;
END $$;

-- Forgets dropped messages of a strand in front of a position, unless another stage keeps the
-- message or has it on its way: the stages that follow both must not get it then. Looks at the last
-- ones, so many at most, and tells at how many, at which last, and how many are gone.
CREATE FUNCTION slipring.forget_some(s slipring.strand, below bigint, most bigint,
        OUT looks bigint, OUT last bigint, OUT gone bigint) LANGUAGE plpgsql AS $$
BEGIN
    -- One stage after the other, each at its own place: all that the ring keeps is not read. One
    -- statement, with one snapshot: what leaves the one table comes into the other.
    WITH looked AS MATERIALIZED (SELECT k.ctid AS place, k.position FROM slipring.aside k
            WHERE k.ring = s.ring AND k.stage = s.stage AND k.lane = s.lane
            AND k.state = 'dropped' AND k.position < below ORDER BY k.position DESC LIMIT most),
        arriving AS MATERIALIZED (SELECT x.name FROM slipring.stage x WHERE x.ring = s.ring
            AND (SELECT min(k.position) FROM slipring.arrival k WHERE k.ring = s.ring
                AND k.stage = x.name AND k.lane = s.lane) IS NOT NULL),
        ended AS (DELETE FROM slipring.aside a
        WHERE a.ctid = ANY (ARRAY(SELECT place FROM looked))
        AND NOT EXISTS (SELECT FROM slipring.stage x, LATERAL (SELECT FROM slipring.aside k
                WHERE k.ring = s.ring AND k.stage = x.name AND k.lane = s.lane
                AND k.position = a.position AND k.state <> 'dropped' LIMIT 1) k
            WHERE x.ring = s.ring AND x.name <> s.stage)
        AND NOT EXISTS (SELECT FROM arriving x, LATERAL (SELECT FROM slipring.arrival k
                WHERE k.ring = s.ring AND k.stage = x.name AND k.lane = s.lane
                AND k.position = a.position LIMIT 1) k)
        RETURNING a.position)
        SELECT count(*), min(l.position), (SELECT count(*) FROM ended)
            INTO looks, last, gone FROM looked l;
END $$;

-- Forgets dropped messages of a strand to which no rewind can bring it any more.
--
-- Another stage may keep very many of them for long. So this looks from the end backwards, only for
-- as long as there are some to forget, and at a few others by chance: one of which a stage has let
-- go meanwhile.
CREATE FUNCTION slipring.forget_dropped(r slipring.ring, INOUT s slipring.strand)
    LANGUAGE plpgsql AS $$
DECLARE
    few CONSTANT bigint := 64;
    most bigint := few;
    below bigint;
    oldest bigint;
    t record;
BEGIN
    EXECUTE format('SELECT until - n FROM %s x ORDER BY until LIMIT 1',
            slipring.all_segments(r, 'lane = $1 AND until > $2 ORDER BY until LIMIT 1'))
        INTO below USING s.lane, pg_sequence_last_value(r.gates[s.lane + 1]);
    below := coalesce(below, pg_sequence_last_value(r.gates[s.lane + 1]));
    LOOP
        SELECT * INTO t FROM slipring.forget_some(s, below, most);
        s.dropped := s.dropped - t.gone;
        IF t.looks < most THEN
            RETURN;
        END IF;
        below := t.last;
        EXIT WHEN t.gone = 0;
        most := few + t.gone;
    END LOOP;
    SELECT min(a.position) INTO oldest FROM slipring.aside a WHERE a.ring = s.ring
        AND a.stage = s.stage AND a.lane = s.lane AND a.state = 'dropped';
    t := slipring.forget_some(s, below - floor(random() * (below - oldest))::bigint, few);
    s.dropped := s.dropped - t.gone;
END $$;
