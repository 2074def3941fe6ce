-- SPDX-License-Identifier: Apache-2.0
-- For people at psql, and for any language. ---------------------------------------------------

-- Makes a ring. Stages: [{"name": "a"}, {"name": "b", "after": ["a"], "ordered": true,
-- "lease_ms": 30000, "tries": 5, "backoff_first_ms": 1000, "backoff_most_ms": 600000,
-- "keep": 100000}]; without any there is one, main. A name that is taken is refused.
CREATE FUNCTION slipring.create(ring text, lanes int DEFAULT 8, messages bigint DEFAULT 1000000,
        bytes bigint DEFAULT 1073741824, stages jsonb DEFAULT '[{"name": "main"}]')
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    ring_id bigint;
    stray text;
BEGIN
    PERFORM slipring.may(0, 'operate');
    IF NOT EXISTS (SELECT FROM slipring.schema) AND row_security_active('slipring.schema') THEN
        RAISE EXCEPTION 'row security hides what the schema ''slipring'' has, also from its owner;'
            ' run ALTER TABLE slipring.schema NO FORCE ROW LEVEL SECURITY, and the same for its'
            ' other tables; nothing was run' USING ERRCODE = 'insufficient_privilege';
    ELSIF NOT EXISTS (SELECT FROM slipring.schema)
            OR pg_sequence_last_value('slipring.page') IS NULL THEN
        RAISE EXCEPTION 'the schema ''slipring'' is here without its data or that of its'
            ' sequences, as a dump of the schema only and logical replication leave it; drop it'
            ' (DROP SCHEMA slipring CASCADE) and run ''slipring migrate apply'', or restore all of'
            ' its data; nothing was run' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    PERFORM pg_advisory_xact_lock(slipring.change_lock(ring));
    PERFORM slipring.check_name('ring', ring);
    IF coalesce(lanes NOT BETWEEN 1 AND 1024 OR messages < 1 OR bytes < 1, true) THEN
        RAISE EXCEPTION 'ring ''%'': % lanes, % messages, % bytes; use 1 to 1024 lanes and a'
            ' capacity of 1 or more', ring, lanes, messages, bytes USING ERRCODE = 'SLR05';
    ELSIF EXISTS (SELECT FROM slipring.ring r WHERE r.name = ring) THEN
        RAISE EXCEPTION 'there is a ring ''%'' already', ring USING ERRCODE = 'duplicate_object';
    END IF;
    BEGIN
        ring_id := slipring.make_ring(ring, lanes, messages, bytes);
    EXCEPTION WHEN unique_violation THEN
        -- The ring was made after this transaction's snapshot, which does not show it.
        RAISE EXCEPTION 'there is a ring ''%'' already', ring USING ERRCODE = 'duplicate_object';
    END;
    INSERT INTO slipring.stage SELECT * FROM slipring.declared(ring_id, stages);
    SELECT min(a) INTO stray FROM slipring.stage s, unnest(s.after) a WHERE s.ring = ring_id
        AND NOT EXISTS (SELECT FROM slipring.stage t WHERE t.ring = ring_id AND t.name = a);
    IF stray IS NOT NULL THEN
        RAISE EXCEPTION 'a stage is to follow ''%'', which is not declared', stray
            USING ERRCODE = 'SLR05';
    END IF;
    UPDATE slipring.stage s SET followers = ARRAY(SELECT t.name FROM slipring.stage t
            WHERE t.ring = ring_id AND s.name = ANY (t.after) ORDER BY t.number),
        ancestors = ARRAY(WITH RECURSIVE up (name) AS (SELECT unnest(s.after) UNION
            SELECT unnest(t.after) FROM up JOIN slipring.stage t ON t.ring = ring_id
            AND t.name = up.name) SELECT up.name FROM up) WHERE s.ring = ring_id;
    IF EXISTS (SELECT FROM slipring.stage s WHERE s.ring = ring_id
            AND s.name = ANY (s.ancestors)) THEN
        RAISE EXCEPTION 'the stages follow each other in a circle' USING ERRCODE = 'SLR05';
    END IF;
    PERFORM slipring.write_down(ring_id, s.name, l,
        ARRAY[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]::bigint[],
        '{}', '{}', '{}', '{}', '{}', '{}', '{}')
        FROM slipring.stage s, generate_series(0, lanes - 1) l WHERE s.ring = ring_id;
END $$;

-- Messages as one slot, as Slipring's clients write it.
CREATE FUNCTION slipring.slot_of(bodies bytea[], key text, headers jsonb) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    -- No backslashes: the caller's session decides what they mean.
    RETURN (WITH part AS (SELECT nth, CASE WHEN key IS NULL AND headers IS NULL THEN body ELSE
            CASE WHEN key IS NULL THEN int4send(-1) ELSE int4send(octet_length(key))
                || convert_to(key, 'UTF8') END
            || int4send((SELECT count(*)::int FROM jsonb_each_text(coalesce(headers, '{}'))))
            || coalesce((SELECT string_agg(int4send(octet_length(h.key))
                || convert_to(h.key, 'UTF8') || int4send(octet_length(h.value))
                || convert_to(h.value, 'UTF8'), ''::bytea) FROM jsonb_each_text(headers) h),
                ''::bytea) || body END AS bytes
        FROM unnest(bodies) WITH ORDINALITY AS b (body, nth)),
    ends AS (SELECT nth, bytes, sum(octet_length(bytes)) OVER (ORDER BY nth)::int AS till
        FROM part)
    SELECT CASE WHEN key IS NULL AND headers IS NULL THEN decode('0100', 'hex')
            ELSE decode('0101', 'hex') END
        || int4send(cardinality(bodies)) || string_agg(int4send(till), ''::bytea ORDER BY nth)
        || string_agg(bytes, ''::bytea ORDER BY nth) FROM ends);
END $$;

-- The lane of a key: the first four bytes of its MD5, modulo the lanes.
CREATE FUNCTION slipring.lane_of(key text, lanes int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT ((('x' || left(md5(convert_to(key, 'UTF8')), 8))::bit(32)::bigint & 4294967295)
        % lanes)::int
$$;

-- The stages that are the furthest behind in a lane that holds something, in words that follow
-- others.
CREATE FUNCTION slipring.gate_holders(r slipring.ring) RETURNS text
    LANGUAGE sql AS $$
    SELECT coalesce(string_agg(DISTINCT format('; stage ''%s'' holds its gate', y.name), ''), '')
        FROM (SELECT x.name, s.done, min(s.done) OVER (PARTITION BY l) AS gate,
                pg_sequence_last_value(r.heads[l + 1]) AS head
            FROM slipring.stage x, generate_series(0, r.lanes - 1) l,
                slipring.strand_now(r.id, x.name, l) s WHERE x.ring = r.id) y
        WHERE y.done = y.gate AND y.gate < y.head $$;

-- Pushes messages into one lane: that of the key, or else one that nobody pushes to now. They go in
-- slots of about 4 MiB, as a claim has to take a slot whole.
CREATE FUNCTION slipring.push_bodies(ring_name text, bodies bytea[], key text, headers jsonb)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    lane int := CASE WHEN key IS NULL THEN -1 ELSE slipring.lane_of(key, r.lanes) END;
    slots bytea[];
    counts int[];
    e record;
BEGIN
    IF coalesce(cardinality(bodies), 0) = 0
            OR EXISTS (SELECT FROM unnest(bodies) b WHERE b IS NULL) THEN
        RAISE EXCEPTION 'a push of no message, or of a message that is null'
            USING ERRCODE = 'SLR05';
    ELSIF jsonb_typeof(headers) <> 'object' OR jsonb_path_exists(headers,
            'strict $.* ? (@.type() == "null" || @.type() == "object" || @.type() == "array")',
            '{}', true) THEN
        RAISE EXCEPTION 'headers are {"name": "text"}, not %', left(headers::text, 80)
            USING ERRCODE = 'SLR05';
    END IF;
    SELECT max(octet_length(b)) + x.more AS bytes, x.more INTO e FROM unnest(bodies) b,
        (SELECT coalesce(octet_length(key), 0) + coalesce(octet_length(headers::text), 0) AS more) x
        GROUP BY x.more;
    IF e.bytes > slipring.bytes_of_message() THEN
        RAISE EXCEPTION 'a message of % bytes is larger than the % that are allowed;'
            ' nothing was pushed', e.bytes, slipring.bytes_of_message() USING ERRCODE = 'SLR05';
    END IF;
    PERFORM slipring.may(r.id, 'produce');
    IF cardinality(bodies) = 1 THEN
        slots := ARRAY[slipring.slot_of(bodies, key, headers)];
        counts := '{1}';
    ELSE
        SELECT array_agg(slipring.slot_of(p.part, key, headers) ORDER BY p.nth),
            array_agg(cardinality(p.part) ORDER BY p.nth) INTO slots, counts
            FROM (SELECT b.at / slipring.bytes_of_claim() AS nth,
                    array_agg(b.body ORDER BY b.nth) AS part
                FROM (SELECT body, nth, sum(octet_length(body) + e.more) OVER (ORDER BY nth)
                        - octet_length(body) - e.more AS at
                    FROM unnest(bodies) WITH ORDINALITY AS u (body, nth)) b GROUP BY 1) p;
        IF lane < 0 AND cardinality(slots) > 1 THEN
            lane := slipring.keep_any_lane(r.id, r.lanes);
        END IF;
    END IF;
    IF slipring.push_slots(ring_name, r.id, array_fill(lane, ARRAY[cardinality(slots)]), counts,
            slots, 0, 0) = 0 THEN
        SELECT *, least(r.messages - cardinality(bodies), r.bytes
            - (SELECT sum(octet_length(x)) FROM unnest(slots) x)) < 0 AS never
            INTO e FROM slipring.room_now(ring_name);
        IF e.never THEN
            RAISE EXCEPTION 'ring ''%'' is too small for this push of % messages and % bytes: it'
                ' holds % and % at most', ring_name, cardinality(bodies), (SELECT
                sum(octet_length(x)) FROM unnest(slots) x), r.messages, r.bytes
                USING ERRCODE = 'SLR05';
        END IF;
        RAISE EXCEPTION 'ring ''%'' is full: %', ring_name, coalesce(e.holder, format(
            'room for %s of %s messages and %s of %s bytes', greatest(e.free_messages, 0),
            e.most_messages, greatest(e.free_bytes, 0), e.most_bytes)
            || slipring.gate_holders(r)) USING ERRCODE = 'SLR02';
    END IF;
END $$;

CREATE FUNCTION slipring.push(ring text, body text, key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, ARRAY[convert_to(body, 'UTF8')], key, headers) $$;

CREATE FUNCTION slipring.push(ring text, body jsonb, key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, ARRAY[convert_to(body::text, 'UTF8')], key, headers) $$;

CREATE FUNCTION slipring.push(ring text, body bytea, key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, ARRAY[body], key, headers) $$;

-- A list, and no list of lists.
CREATE FUNCTION slipring.one_list(bodies anyarray) RETURNS anyarray LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF array_ndims(bodies) > 1 THEN
        RAISE EXCEPTION 'messages are a list, not a list of lists; nothing was pushed'
            USING ERRCODE = 'SLR05';
    END IF;
    RETURN bodies;
END $$;

-- Many messages have a name of their own. Most drivers do not say of which type a list is, and
-- PostgreSQL takes what has no type as text if it can: as one message.
CREATE FUNCTION slipring.push_all(ring text, bodies text[], key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, ARRAY(SELECT convert_to(b, 'UTF8')
        FROM unnest(slipring.one_list(bodies)) WITH ORDINALITY AS x (b, nth) ORDER BY nth), key,
        headers) $$;

CREATE FUNCTION slipring.push_all(ring text, bodies jsonb[], key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, ARRAY(SELECT convert_to(b::text, 'UTF8')
        FROM unnest(slipring.one_list(bodies)) WITH ORDINALITY AS x (b, nth) ORDER BY nth), key,
        headers) $$;

CREATE FUNCTION slipring.push_all(ring text, bodies bytea[], key text DEFAULT NULL,
        headers jsonb DEFAULT NULL) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.push_bodies(ring, slipring.one_list(bodies), key, headers) $$;
