-- SPDX-License-Identifier: Apache-2.0
-- Push. -----------------------------------------------------------------------------------------

-- A push that was found counts once it is as safe as one that returns. One that was cut off while
-- it waited for a synchronous standby is seen here, and may be on this server alone. What is
-- written here comes after it, and has this transaction wait for the standby in its place.
CREATE FUNCTION slipring.wait_for_standby() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'a standby does not say whether a push is safe' USING ERRCODE = '25006';
    END IF;
    PERFORM pg_logical_emit_message(true, 'slipring', '');
END $$;

-- Does something (then_do) if a producer pushed that number, or a later one, in this segment or the
-- one before, or in one that was emptied. That is enough: before a client repeats a push it asks
-- slipring.pushed, which knows every push. The look has to see what is committed at that moment. A
-- producer pushes one after the other, and keeps its lock: so a push that was cut off on its way,
-- and comes after the one that repeats it, finds that one. Uses the variables ok and turn.
CREATE FUNCTION slipring.look_for_number(then_do text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    look text := 'EXISTS (SELECT FROM %s x WHERE x.producer = by_producer AND x.producer <> 0'
        || ' AND x.number >= by_number)';
BEGIN
    RETURN 'ok := (current_setting(''transaction_isolation'') = ''read committed'''
        || ' OR slipring.see_all() IS NULL)'
        || ' AND pg_advisory_xact_lock(slipring.producer_lock(@ring, by_producer)) IS NULL;'
        || ' turn := pg_sequence_last_value(''slipring.turn_@ring''); '
        || slipring.each_segment('turn', 'IF ' || format(look, '@segment') || ' OR '
            || format(look, '@before') || ' OR EXISTS (SELECT FROM slipring.producer x'
            || ' WHERE x.ring = @ring AND x.id = by_producer AND x.number >= by_number) THEN '
            || 'PERFORM slipring.wait_for_standby(); ' || then_do || ' END IF;');
END $$;

-- Whether a producer pushed that number. The pushes of producer 0 have no numbers.
CREATE FUNCTION slipring.make_is_pushed(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    body text := $own$
DECLARE
    turn bigint;
    ok boolean;
BEGIN
    IF by_producer <> 0 THEN
        @look
    END IF;
    RETURN false;
END $own$;
BEGIN
    PERFORM slipring.make_own(ring_id, 'is_pushed_@ring(by_producer bigint, by_number bigint)'
        || ' RETURNS boolean', replace(body, '@look', slipring.look_for_number('RETURN true;')));
END $make$;

-- The lane of this server process for messages without a key, by its process number: so processes
-- that began one after the other, as those of a pool do, have lanes of their own.
CREATE FUNCTION slipring.own_lane(lanes int) RETURNS int LANGUAGE sql STABLE AS $$
    SELECT pg_catalog.pg_backend_pid() % lanes
$$;

-- Refuses a lane that the ring does not have.
CREATE FUNCTION slipring.no_lane(lane int, lanes int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'no lane % in a ring of %; it was dropped and made anew: open it again', lane,
        lanes USING ERRCODE = 'SLR01';
END $$;

-- Keeps a lane; false if others keep it for longer than this waits for them, in milliseconds; null:
-- for ever.
CREATE FUNCTION slipring.keep_lane(ring_id bigint, lane int, patience int) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    name bigint := slipring.lane_lock(ring_id, lane);
    before text := current_setting('lock_timeout');
BEGIN
    IF patience IS NULL THEN
        PERFORM pg_advisory_xact_lock(name);
        RETURN true;
    ELSIF pg_try_advisory_xact_lock(name) THEN
        RETURN true;
    ELSIF patience <= 0 THEN
        RETURN false;
    END IF;
    BEGIN
        PERFORM set_config('lock_timeout', patience || 'ms', true);
        PERFORM pg_advisory_xact_lock(name);
        PERFORM set_config('lock_timeout', before, true);
    EXCEPTION WHEN lock_not_available THEN
        RETURN false;
    END;
    RETURN true;
END $$;

-- Keeps a lane for messages without a key, and returns it: the one that this transaction went to
-- before; else that of this process, or another one that nobody pushes to now.
CREATE FUNCTION slipring.keep_any_lane(ring_id bigint, lanes int) RETURNS int
    LANGUAGE plpgsql AS $$
DECLARE
    setting text := 'slipring.lane_' || ring_id;
    lane int := nullif(current_setting(setting, true), '')::int % lanes;
    ok boolean;
BEGIN
    IF lane IS NULL THEN
        FOR i IN 0..lanes - 1 LOOP
            lane := (slipring.own_lane(lanes) + i) % lanes;
            IF pg_try_advisory_xact_lock(slipring.lane_lock(ring_id, lane)) THEN
                IF i > 0 THEN
                    PERFORM set_config(setting, lane::text, true);
                END IF;
                RETURN lane;
            END IF;
        END LOOP;
        lane := slipring.own_lane(lanes);
    END IF;
    ok := pg_advisory_xact_lock(slipring.lane_lock(ring_id, lane)) IS NULL;
    RETURN lane;
END $$;

-- Appends slots, all or none, and answers as a push of one slot does (make_push), but with -1 -
-- lane for a lane that others keep. If there is only one slot, its lane may be below zero, which
-- means any lane.
CREATE FUNCTION slipring.push_slots(ring_name text, ring_id bigint, slot_lanes int[], counts int[],
        bodies bytea[], by_producer bigint, by_number bigint, patience int DEFAULT NULL) RETURNS int
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name, ring_id);
    all_lanes int[] := ARRAY(SELECT DISTINCT l FROM unnest(slot_lanes) l ORDER BY l);
    lane int;
    at int;
    ends bigint[] := '{}';
    totals bigint[] := '{}';
    statement text := format('SELECT slipring.push_%s($1, $2, $3, $4, $5, $6, $7, $8)', r.id);
    pushed int;
    is_pushed boolean;
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    IF cardinality(bodies) = 1 THEN
        EXECUTE statement INTO pushed USING slot_lanes[1], counts[1], bodies[1], by_producer,
            by_number, NULL::bigint, NULL::bigint, patience;
        RETURN CASE WHEN pushed < 0 THEN -1 - slot_lanes[1] ELSE pushed END;
    END IF;
    IF all_lanes[1] < 0 THEN
        RAISE EXCEPTION 'slots that are pushed together each name their lane, not %', all_lanes[1]
            USING ERRCODE = 'SLR05';
    ELSIF all_lanes[cardinality(all_lanes)] >= r.lanes THEN
        PERFORM slipring.no_lane(all_lanes[cardinality(all_lanes)], r.lanes);
    END IF;
    EXECUTE format('SELECT slipring.is_pushed_%s($1, $2)', r.id) INTO is_pushed
        USING by_producer, by_number;
    IF is_pushed THEN
        RETURN 2;
    END IF;
    FOREACH lane IN ARRAY all_lanes LOOP
        IF NOT slipring.keep_lane(r.id, lane, patience) THEN
            RETURN -1 - lane;
        END IF;
        ends := ends || pg_sequence_last_value(r.heads[lane + 1]);
        totals := totals || pg_sequence_last_value(r.sizes[lane + 1]);
    END LOOP;
    FOR i IN 1..cardinality(bodies) LOOP
        lane := slot_lanes[i];
        PERFORM setval(h, pg_sequence_last_value(h) + counts[i]),
            setval(s, pg_sequence_last_value(s) + octet_length(bodies[i]))
            FROM (SELECT r.heads[lane + 1] AS h, r.sizes[lane + 1] AS s) x;
    END LOOP;
    IF NOT slipring.find_room_for(r.id, all_lanes,
            ARRAY(SELECT pg_sequence_last_value(r.heads[l + 1]) - ends[nth]
                FROM unnest(all_lanes) WITH ORDINALITY x (l, nth) ORDER BY nth),
            ARRAY(SELECT pg_sequence_last_value(r.sizes[l + 1]) - totals[nth]
                FROM unnest(all_lanes) WITH ORDINALITY x (l, nth) ORDER BY nth)) THEN
        RETURN 0;
    END IF;
    FOR i IN 1..cardinality(bodies) LOOP
        lane := slot_lanes[i];
        at := array_position(all_lanes, lane);
        ends[at] := ends[at] + counts[i];
        totals[at] := totals[at] + octet_length(bodies[i]);
        EXECUTE statement INTO pushed USING lane, counts[i], bodies[i], by_producer, by_number,
            ends[at], totals[at], patience;
    END LOOP;
    RETURN 1;
END $$;

-- The greatest number that a producer has pushed; waits for one that is under way.
CREATE FUNCTION slipring.pushed(ring_name text, by_producer bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    most bigint;
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    PERFORM slipring.see_all();
    PERFORM pg_advisory_xact_lock(slipring.producer_lock(r.id, by_producer));
    EXECUTE format('SELECT max(number) FROM %s x',
        slipring.all_segments(r, 'producer = $1 AND producer <> 0')) INTO most USING by_producer;
    most := greatest(most, (SELECT number FROM slipring.producer p
        WHERE p.ring = r.id AND p.id = by_producer), 0);
    IF most > 0 THEN
        PERFORM slipring.wait_for_standby();
    END IF;
    RETURN most;
END $$;
