-- SPDX-License-Identifier: Apache-2.0
-- Names of locks. ---------------------------------------------------------------------------

CREATE FUNCTION slipring.lane_lock(ring_id bigint, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('lanes ' || ring_id::text, 7157) # lane::bigint $$;

CREATE FUNCTION slipring.strand_lock(ring_id bigint, stage text, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('strand ' || ring_id::text || ' ' || stage || ' ' || lane::text,
                               7157) $$;

CREATE FUNCTION slipring.hand_lock(ring_id bigint, stage text, lane int, epoch bigint)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('hand ' || ring_id::text || ' ' || stage || ' ' || lane::text || ' '
        || epoch::text,
                               7157) $$;

CREATE FUNCTION slipring.producer_lock(ring_id bigint, producer bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('producer ' || ring_id::text || ' ' || producer::text, 7157) $$;

CREATE FUNCTION slipring.shape_lock(ring_id bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT hashtextextended('shape ' || ring_id::text, 7157) $$;

-- Refuses a transaction whose statements do not each see what is committed when they begin.
CREATE FUNCTION slipring.see_all() RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'this needs a transaction of its own at READ COMMITTED, not at %',
            upper(current_setting('transaction_isolation')) USING ERRCODE = 'SLR06';
    END IF;
END $$;

CREATE FUNCTION slipring.find(ring_name text) RETURNS slipring.ring
    LANGUAGE plpgsql STABLE AS $$
DECLARE r slipring.ring;
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.name = ring_name;
    IF r.id IS NULL THEN
        RAISE EXCEPTION 'no ring ''%''; the rings are: %', ring_name,
            coalesce((SELECT string_agg(x.name, ', ' ORDER BY x.name) FROM slipring.ring x
                WHERE slipring.is_permitted(x.id, '{produce,consume,operate}')), 'none')
            USING ERRCODE = 'SLR01';
    END IF;
    RETURN r;
END $$;

-- A ring of that name and, unless it is null, of that id: who knows the id means no other ring that
-- has the name, be it made anew or in another database.
CREATE FUNCTION slipring.find(ring_name text, ring_id bigint) RETURNS slipring.ring
    LANGUAGE plpgsql STABLE AS $$
DECLARE r slipring.ring := slipring.find(ring_name);
BEGIN
    IF r.id <> ring_id THEN
        RAISE EXCEPTION 'ring ''%'' is another one here: it was made anew, or this connection is to'
            ' another database', ring_name USING ERRCODE = 'SLR07';
    END IF;
    RETURN r;
END $$;

-- The id of a ring, for who asks outside of these functions.
CREATE FUNCTION slipring.id_of(ring_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (slipring.find(ring_name)).id;
END $$;

-- Refuses a ring that was dropped since it was found.
CREATE FUNCTION slipring.see_ring(ring_id bigint, ring_name text) RETURNS void
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM slipring.ring x WHERE x.id = ring_id) THEN
        RAISE EXCEPTION 'ring ''%'' was dropped meanwhile', ring_name USING ERRCODE = 'SLR01';
    END IF;
END $$;

CREATE FUNCTION slipring.find_stage(r slipring.ring, stage_name text) RETURNS slipring.stage
    LANGUAGE plpgsql STABLE AS $$
DECLARE s slipring.stage;
BEGIN
    IF stage_name IS NULL THEN
        SELECT * INTO s FROM slipring.stage x WHERE x.ring = r.id
            AND NOT EXISTS (SELECT FROM slipring.stage y WHERE y.ring = r.id AND y.name <> x.name);
    ELSE
        SELECT * INTO s FROM slipring.stage x WHERE x.ring = r.id AND x.name = stage_name;
    END IF;
    IF s.ring IS NULL THEN
        PERFORM slipring.see_ring(r.id, r.name);
        RAISE EXCEPTION '%; the stages are %',
            CASE WHEN stage_name IS NULL THEN 'ring ''' || r.name || ''' has several stages'
                ELSE 'no stage ''' || stage_name || '''' END,
            (SELECT string_agg(x.name, ', ' ORDER BY x.number) FROM slipring.stage x
                WHERE x.ring = r.id)
            USING ERRCODE = 'SLR04';
    END IF;
    RETURN s;
END $$;
