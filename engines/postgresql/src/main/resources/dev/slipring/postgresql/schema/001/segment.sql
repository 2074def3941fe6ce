-- SPDX-License-Identifier: Apache-2.0
-- Rings and their segments. -------------------------------------------------------------------

-- Takes from everybody what the owner's default privileges gave on what was just made. Mostly they
-- give nothing, and then nothing is written: a ring with many lanes has thousands of sequences.
CREATE FUNCTION slipring.keep_private(made regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE c regclass;
BEGIN
    FOR c IN SELECT DISTINCT x.oid FROM pg_class x, aclexplode(x.relacl) a
            WHERE x.oid = ANY (made) AND a.grantee = 0 LOOP
        EXECUTE format('REVOKE ALL ON TABLE %s FROM PUBLIC', c);
    END LOOP;
END $$;

-- Makes what a ring stands on: its row, 8 segments and the sequences of its lanes; no stages. All
-- of it is the owner's, whichever member of the owner asks.
CREATE FUNCTION slipring.make_ring(ring_name text, lanes int, messages bigint, bytes bigint)
    RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ring_id bigint;
    kind text;
BEGIN
    PERFORM slipring.may(NULL, 'operate');
    LOOP
        ring_id := ('x' || left(replace(gen_random_uuid()::text, '-', ''), 10))::bit(40)::bigint;
        EXIT WHEN ring_id > 0 AND NOT EXISTS (SELECT FROM slipring.ring x WHERE x.id = ring_id);
    END LOOP;
    FOR seg IN 0..7 LOOP
        EXECUTE format('CREATE TABLE slipring.slot_%s_%s (lane int NOT NULL, rest boolean NOT NULL,'
            || ' until bigint NOT NULL, part int NOT NULL, n int, total bigint, size int,'
            || ' pushed_at timestamptz, producer bigint, number bigint, body bytea NOT NULL,'
            || ' PRIMARY KEY (lane, rest, until, part)) WITH (autovacuum_enabled = off)',
            ring_id, seg);
        EXECUTE format('ALTER TABLE slipring.slot_%s_%s ALTER body SET STORAGE PLAIN',
            ring_id, seg);
        EXECUTE format('CREATE INDEX ON slipring.slot_%s_%s (producer, number)'
            || ' WHERE producer <> 0', ring_id, seg);
    END LOOP;
    FOREACH kind IN ARRAY ARRAY['head', 'size', 'gate', 'freed', 'credit', 'allow'] LOOP
        FOR lane IN 0..lanes - 1 LOOP
            EXECUTE format('CREATE SEQUENCE slipring.%s_%s_%s MINVALUE 0 START 0',
                kind, ring_id, lane);
            PERFORM setval(format('slipring.%s_%s_%s', kind, ring_id, lane)::regclass, 0);
        END LOOP;
    END LOOP;
    FOREACH kind IN ARRAY ARRAY['turn', 'stuck'] LOOP
        EXECUTE format('CREATE SEQUENCE slipring.%s_%s MINVALUE 0 START 0', kind, ring_id);
        PERFORM setval(format('slipring.%s_%s', kind, ring_id)::regclass, 0);
    END LOOP;
    INSERT INTO slipring.ring
        SELECT ring_id, ring_name, 1, lanes, messages, bytes,
            array_agg(format('slipring.head_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.size_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.gate_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.freed_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.credit_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.allow_%s_%s', ring_id, l)::regclass ORDER BY l),
            format('slipring.turn_%s', ring_id)::regclass,
            format('slipring.stuck_%s', ring_id)::regclass
        FROM generate_series(0, lanes - 1) l;
    PERFORM slipring.keep_private(heads || sizes || gates || freed || credits || allows || turn
            || stuck || ARRAY(SELECT format('slipring.slot_%s_%s', ring_id, seg)::regclass
                FROM generate_series(0, 7) seg))
        FROM slipring.ring x WHERE x.id = ring_id;
    PERFORM slipring.make_is_pushed(ring_id), slipring.make_push(ring_id),
        slipring.make_take(ring_id);
    RETURN ring_id;
END $$;

-- Before a ring is dropped: waits for transactions that use its segments. Fails if one of them goes
-- on for too long.
CREATE FUNCTION slipring.await_drop(ring_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM slipring.await_users(ARRAY(SELECT format('slipring.slot_%s_%s', r.id, seg)::regclass
        FROM slipring.ring r, generate_series(0, 7) seg WHERE r.name = ring_name), '{}');
END $$;

-- Drops a ring. Fails where open transactions use it: if the drop waited for them for long,
-- everybody who comes after it would wait too.
CREATE FUNCTION slipring.drop_ring(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r slipring.ring;
BEGIN
    PERFORM set_config('lock_timeout', slipring.patience() || 'ms', true);
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    FOR seg IN 0..7 LOOP
        EXECUTE format('DROP TABLE slipring.slot_%s_%s', ring_id, seg);
    END LOOP;
    DELETE FROM slipring.ring x WHERE x.id = ring_id;
    FOR lane IN 0..r.lanes - 1 LOOP
        EXECUTE format('DROP SEQUENCE slipring.head_%1$s_%2$s, slipring.size_%1$s_%2$s,'
            || ' slipring.gate_%1$s_%2$s, slipring.freed_%1$s_%2$s, slipring.credit_%1$s_%2$s,'
            || ' slipring.allow_%1$s_%2$s',
            ring_id, lane);
    END LOOP;
    EXECUTE format('DROP SEQUENCE slipring.turn_%1$s, slipring.stuck_%1$s', ring_id);
    EXECUTE format('DROP FUNCTION slipring.push_%1$s, slipring.take_%1$s,'
        || ' slipring.is_pushed_%1$s', ring_id);
    DELETE FROM slipring.strand x WHERE x.ring = ring_id;
    DELETE FROM slipring.word x WHERE x.ring = ring_id;
    DELETE FROM slipring.aside x WHERE x.ring = ring_id;
    DELETE FROM slipring.arrival x WHERE x.ring = ring_id;
    DELETE FROM slipring.producer x WHERE x.ring = ring_id;
END $$;

-- The slots of a segment as a row source for a query: those which a condition names, or, where that
-- goes on with ORDER BY until LIMIT, the first of them. Behind a UNION ALL a limit alone would have
-- all of them read. In the condition @segment stands for the segment's table. A slot that
-- is in several rows is put together only where its body is asked for.
CREATE FUNCTION slipring.segment(ring_id bigint, turn bigint, which text)
    RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN format('(SELECT until, n, total, size, pushed_at, producer, number,'
        || ' CASE WHEN size <= %4$s THEN body ELSE body || (SELECT coalesce(string_agg(y.body, NULL'
        || ' ORDER BY y.part), '''') FROM slipring.%1$I y WHERE y.lane = x.lane AND y.rest'
        || ' AND y.until = x.until) END AS body, %2$s::bigint AS turn'
        || ' FROM slipring.%1$I x WHERE NOT rest AND %3$s)',
        format('slot_%s_%s', ring_id, turn & 7), turn,
        replace(which, '@segment', format('slipring.slot_%s_%s', ring_id, turn & 7)),
        slipring.bytes_of_piece());
END $$;

-- A condition for slots that have positions from $2 up to $3 of the lane $1. No other ends behind
-- the first that ends at $3 or later: so a look does not go on to the end of the lane.
CREATE FUNCTION slipring.between_positions() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'lane = $1 AND until > $2 AND until - n < $3 AND until <= coalesce((SELECT min(y.until)'
        || ' FROM @segment y WHERE y.lane = $1 AND NOT y.rest AND y.until >= $3),'
        || ' 9223372036854775807)'
$$;

-- The segments from one turn to another as a row source; the same table is named once. The planner
-- thinks that a look at large segments costs so much that PostgreSQL would compile it to machine
-- code first, for 200 ms and each time anew. So all functions that others may call turn that off.
CREATE FUNCTION slipring.segments(ring_id bigint, from_turn bigint, to_turn bigint, which text)
    RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT '(' || string_agg(slipring.segment(ring_id, t, which), ' UNION ALL ' ORDER BY t)
            || ')'
        FROM generate_series(greatest(from_turn, to_turn - 7, 0), to_turn) t);
END $$;

-- All segments of a ring, whatever turn they are in.
CREATE FUNCTION slipring.all_segments(r slipring.ring, which text)
    RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT slipring.segments(r.id, turn - 7, turn, which)
    FROM pg_sequence_last_value(r.turn) turn);
END $$;

-- Where a lane ends, for a transaction that sees all that is committed: behind its last slot, or
-- where its stages are, if that is further. It is further if the last slots have left the ring,
-- which they may do before older ones whose segment somebody uses, or if somebody deleted them. The
-- gate alone does not tell, as it may have been left behind.
CREATE FUNCTION slipring.lane_end(r slipring.ring, lane int, OUT until bigint, OUT total bigint)
    LANGUAGE plpgsql AS $$
DECLARE
    turn bigint := pg_sequence_last_value(r.turn);
    t bigint;
    reached bigint;
BEGIN
    FOR back IN 0..least(turn, 7) LOOP
        t := turn - back;
        EXECUTE format('SELECT until, total FROM slipring.slot_%s_%s WHERE lane = $1'
            || ' AND NOT rest ORDER BY until DESC LIMIT 1', r.id, t & 7)
            INTO until, total USING lane;
        EXIT WHEN until IS NOT NULL;
    END LOOP;
    SELECT max(greatest(s.high, s.claimed)) INTO reached
        FROM slipring.stage x, slipring.strand_now(r.id, x.name, lane) s WHERE x.ring = r.id;
    until := greatest(until, reached, pg_sequence_last_value(r.gates[lane + 1]));
    total := greatest(total, pg_sequence_last_value(r.freed[lane + 1]));
END $$;

-- Bytes of the slots of a lane that lie wholly below a position, ever.
CREATE FUNCTION slipring.bytes_below(r slipring.ring, lane int, below bigint)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    total bigint;
    ends bigint;
    behind bigint;
    turn bigint := pg_sequence_last_value(r.turn);
    t bigint;
BEGIN
    -- Looks at one segment after the other: a plan over all of them costs more than the first look,
    -- which mostly finds it.
    FOR back IN 0..least(turn, 7) LOOP
        t := turn - back;
        EXECUTE format('SELECT total, until FROM slipring.slot_%s_%s WHERE lane = $1 AND NOT rest'
            || ' AND until <= $2 ORDER BY until DESC LIMIT 1', r.id, t & 7)
            INTO total, ends USING lane, below;
        IF ends = below THEN
            RETURN total;
        END IF;
        EXIT WHEN ends IS NOT NULL;
    END LOOP;
    -- The slots behind that one may have left the ring already; the total of the next slot that is
    -- there counts them.
    FOR back IN REVERSE least(turn, 7)..0 LOOP
        t := turn - back;
        EXECUTE format('SELECT total - size FROM slipring.slot_%s_%s WHERE lane = $1 AND NOT rest'
            || ' AND until > $2 ORDER BY until LIMIT 1', r.id, t & 7)
            INTO behind USING lane, below;
        IF behind IS NOT NULL THEN
            RETURN behind;
        END IF;
    END LOOP;
    RETURN greatest(total, pg_sequence_last_value(r.freed[lane + 1]));
END $$;
