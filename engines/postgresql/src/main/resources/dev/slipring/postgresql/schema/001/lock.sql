-- SPDX-License-Identifier: Apache-2.0
-- Names of locks. ---------------------------------------------------------------------------

-- The number of a lock that has a name. The seed keeps it apart from locks of the application that
-- have the same name. The planner writes out this, and those below, where they are called.
CREATE FUNCTION slipring.lock_of(name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended(name, 7157) $$;

CREATE FUNCTION slipring.lane_lock(ring_id bigint, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT slipring.lock_of('lanes ' || ring_id::text) # lane::bigint $$;

CREATE FUNCTION slipring.strand_lock(ring_id bigint, stage text, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT slipring.lock_of('strand ' || ring_id::text || ' ' || stage || ' ' || lane::text) $$;

CREATE FUNCTION slipring.hand_lock(ring_id bigint, stage text, lane int, epoch bigint)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT slipring.lock_of('hand ' || ring_id::text || ' ' || stage || ' ' || lane::text || ' '
        || epoch::text) $$;

CREATE FUNCTION slipring.producer_lock(ring_id bigint, producer bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT slipring.lock_of('producer ' || ring_id::text || ' ' || producer::text) $$;

CREATE FUNCTION slipring.shape_lock(ring_id bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT slipring.lock_of('shape ' || ring_id::text) $$;

-- The lock of a change of a ring, or of making one of that name.
CREATE FUNCTION slipring.change_lock(ring_name text) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT slipring.lock_of('change ' || ring_name) $$;

-- Lets changes of a ring come one after the other; waits for another one for a second.
CREATE FUNCTION slipring.begin_change(ring_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE before text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    PERFORM pg_advisory_xact_lock(slipring.change_lock(ring_name));
    PERFORM set_config('lock_timeout', before, true);
END $$;

-- How long a change waits for others, in milliseconds: a random time from 100 to 1,600. Where short
-- transactions overlap without end, only a change that waits longer than each of them gets its
-- turn.
CREATE FUNCTION slipring.patience() RETURNS int LANGUAGE sql VOLATILE AS
    $$ SELECT (100 * 2 ^ (4 * random()))::int $$;

-- The transactions of others that have used one of these tables, or have one of these locks.
CREATE FUNCTION slipring.users(tables regclass[], locks bigint[]) RETURNS text[]
    LANGUAGE sql VOLATILE AS $$
    SELECT array_agg(l.virtualtransaction) FROM pg_locks l
    WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        AND (l.locktype = 'relation' AND l.relation = ANY (tables)
            OR l.locktype = 'advisory' AND l.objsubid = 1
            AND (l.classid::bigint << 32 | l.objid::bigint) IN (SELECT unnest(locks)))
$$;

-- Waits for the transactions that use something now, without standing in the queue of its lock,
-- where later ones would wait behind this one. Fails if one of them goes on for too long.
CREATE FUNCTION slipring.await_users(tables regclass[], locks bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    now text[] := slipring.users(tables, locks);
    over timestamptz := clock_timestamp() + interval '1 millisecond' * slipring.patience();
BEGIN
    WHILE now && slipring.users(tables, locks) LOOP
        IF clock_timestamp() > over THEN
            RAISE EXCEPTION 'transactions that are open use the ring'
                USING ERRCODE = 'lock_not_available';
        END IF;
        PERFORM pg_sleep(0.01);
    END LOOP;
END $$;

-- Refuses a transaction whose statements do not each see what is committed when they begin.
CREATE FUNCTION slipring.see_all() RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'this needs a transaction of its own at READ COMMITTED, not at %',
            upper(current_setting('transaction_isolation') COLLATE "C") USING ERRCODE = 'SLR06';
    END IF;
END $$;

-- The error code for what is not there. A standby may be behind its primary. Whoever asks it,
-- perhaps while it becomes the primary, must not be told that a ring has gone: workers would end.
CREATE FUNCTION slipring.not_there(state text) RETURNS text LANGUAGE sql STABLE AS
    $$ SELECT CASE WHEN pg_is_in_recovery() THEN '25006' ELSE state END $$;

-- Refuses a row that did not come to stand in the table that it was inserted into.
CREATE FUNCTION slipring.turned_away(table_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a trigger on % turns away messages; drop it', table_name
        USING ERRCODE = 'triggered_action_exception';
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
            USING ERRCODE = slipring.not_there('SLR01');
    ELSIF current_setting('transaction_isolation') <> 'read committed'
            AND pg_relation_size(r.turn) IS NULL THEN
        -- The row is that of an old snapshot; but everybody sees that a sequence has gone.
        RAISE EXCEPTION 'ring ''%'' was dropped meanwhile', ring_name USING ERRCODE = 'SLR01';
    END IF;
    RETURN r;
END $$;

-- A ring of that name and, unless it is null, of that id. A caller who knows the id means no other
-- ring of that name, whether it was made anew or is in another database.
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

-- The id of a ring, for callers outside of these functions.
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
            USING ERRCODE = slipring.not_there('SLR04');
    END IF;
    RETURN s;
END $$;
