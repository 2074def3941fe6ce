-- SPDX-License-Identifier: Apache-2.0
-- Push. -----------------------------------------------------------------------------------------

CREATE FUNCTION slipring.room(r slipring.ring, OUT messages bigint, OUT bytes bigint)
    LANGUAGE sql VOLATILE AS $$
    SELECT r.messages - sum(greatest(pg_sequence_last_value(h) - pg_sequence_last_value(g), 0)),
        r.bytes - sum(greatest(pg_sequence_last_value(s) - pg_sequence_last_value(f), 0))
    FROM unnest(r.heads, r.sizes, r.gates, r.freed) AS lane (h, s, g, f)
$$;

-- Takes back what rolled-back pushes left in the sequences of lanes that nobody pushes to now.
CREATE FUNCTION slipring.take_back(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
DECLARE e record;
BEGIN
    FOR lane IN 0..r.lanes - 1 LOOP
        IF pg_try_advisory_xact_lock(slipring.lane_lock(r.id, lane)) THEN
            SELECT * INTO e FROM slipring.lane_end(r, lane);
            PERFORM setval(r.heads[lane + 1], e.until), setval(r.sizes[lane + 1], e.total);
        END IF;
    END LOOP;
END $$;

-- How much room a ring has; a holder, in words, if it has none because of him.
CREATE FUNCTION slipring.room_now(ring_name text, OUT free_messages bigint, OUT free_bytes bigint,
        OUT most_messages bigint, OUT most_bytes bigint, OUT holder text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE r slipring.ring := slipring.find(ring_name);
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    SELECT e.messages, e.bytes INTO free_messages, free_bytes FROM slipring.room(r) e;
    most_messages := r.messages;
    most_bytes := r.bytes;
    holder := CASE WHEN pg_sequence_last_value(r.stuck) > 0 THEN slipring.holder(r) END;
END $$;

-- Appends slots, all or none; false means that the ring is full, and then nothing has happened.
CREATE FUNCTION slipring.push_slots(ring_name text, slot_lanes int[], counts int[], bodies bytea[],
        by_producer bigint, by_number bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    messages bigint := (SELECT sum(c) FROM unnest(counts) c);
    bytes bigint := (SELECT sum(octet_length(b)) FROM unnest(bodies) b);
    lane int;
    pushed int;
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    FOR lane IN SELECT DISTINCT l FROM unnest(slot_lanes) l ORDER BY l LOOP
        PERFORM pg_advisory_xact_lock(slipring.lane_lock(r.id, lane));
    END LOOP;
    FOR i IN 1..cardinality(bodies) LOOP
        -- The first of them asks for all: whether it is a repetition, and whether there is room.
        EXECUTE format('SELECT slipring.push_%s($1, $2, $3, $4, $5, $6, $7)', r.id) INTO pushed
            USING slot_lanes[i], counts[i], bodies[i], by_producer, by_number,
                CASE i WHEN 1 THEN messages ELSE 0 END, bytes;
        IF pushed <> 1 THEN
            RETURN pushed = 2;
        END IF;
    END LOOP;
    RETURN true;
END $$;

-- The greatest number that a producer has pushed; waits for pushes that are under way.
CREATE FUNCTION slipring.pushed(ring_name text, by_producer bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    most bigint;
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    FOR lane IN 0..r.lanes - 1 LOOP
        PERFORM pg_advisory_xact_lock_shared(slipring.lane_lock(r.id, lane));
    END LOOP;
    EXECUTE format('SELECT max(number) FROM %s x',
        slipring.all_segments(r, 'producer = $1 AND producer <> 0')) INTO most USING by_producer;
    RETURN greatest(most, (SELECT number FROM slipring.producer p
        WHERE p.ring = r.id AND p.id = by_producer), 0);
END $$;

-- A lane for messages without a key: one that this transaction has, else one that nobody has now.
CREATE FUNCTION slipring.free_lane(r slipring.ring) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    since int := floor(random() * r.lanes);
    lane int;
BEGIN
    SELECT l INTO lane FROM generate_series(0, r.lanes - 1) l JOIN pg_locks k
        ON k.locktype = 'advisory' AND k.pid = pg_backend_pid() AND k.objsubid = 1
        AND ((k.classid::bigint << 32) | k.objid::bigint) = slipring.lane_lock(r.id, l) LIMIT 1;
    IF lane IS NOT NULL THEN
        RETURN lane;
    END IF;
    FOR i IN 0..r.lanes - 1 LOOP
        lane := (since + i) % r.lanes;
        IF pg_try_advisory_xact_lock(slipring.lane_lock(r.id, lane)) THEN
            RETURN lane;
        END IF;
    END LOOP;
    RETURN since;
END $$;
