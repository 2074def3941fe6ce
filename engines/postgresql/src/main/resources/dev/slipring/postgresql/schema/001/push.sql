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

-- Appends slots, all or none. Not pushed means that the ring is full; then nothing has happened.
CREATE FUNCTION slipring.push_slots(ring_name text, slot_lanes int[], counts int[], bodies bytea[],
        by_producer bigint, by_number bigint,
        OUT pushed boolean, OUT free_messages bigint, OUT free_bytes bigint,
        OUT most_messages bigint, OUT most_bytes bigint, OUT holder text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    sees_all boolean := current_setting('transaction_isolation') = 'read committed';
    messages bigint := (SELECT sum(c) FROM unnest(counts) c);
    bytes bigint := (SELECT sum(octet_length(b)) FROM unnest(bodies) b);
    turn bigint;
    lane int;
    e record;
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    FOR lane IN SELECT DISTINCT l FROM unnest(slot_lanes) l ORDER BY l LOOP
        PERFORM pg_advisory_xact_lock(slipring.lane_lock(r.id, lane));
    END LOOP;
    turn := pg_sequence_last_value(r.turn);
    lane := NULL;
    IF by_producer <> 0 THEN
        FOR t IN greatest(turn - 1, 0)..turn LOOP
            EXECUTE format('SELECT 1 FROM slipring.slot_%s_%s WHERE producer = $1'
                || ' AND number >= $2 LIMIT 1', r.id, t & 7)
                INTO lane USING by_producer, by_number;
            IF lane IS NOT NULL THEN
                pushed := true;
                RETURN;
            END IF;
        END LOOP;
    END IF;
    SELECT * INTO e FROM slipring.room(r);
    IF sees_all AND (e.messages < messages OR e.bytes < bytes) THEN
        PERFORM slipring.take_back(r);
        SELECT * INTO e FROM slipring.room(r);
    END IF;
    pushed := e.messages >= messages AND e.bytes >= bytes;
    free_messages := e.messages;
    free_bytes := e.bytes;
    most_messages := r.messages;
    most_bytes := r.bytes;
    IF pushed AND pg_sequence_last_value(r.stuck) > 0 THEN
        holder := slipring.holder(r);
        pushed := holder IS NULL;
    END IF;
    IF NOT pushed THEN
        RETURN;
    END IF;
    FOR i IN 1..cardinality(bodies) LOOP
        lane := slot_lanes[i];
        IF sees_all THEN
            SELECT * INTO e FROM slipring.lane_end(r, lane);
        ELSE
            SELECT pg_sequence_last_value(r.heads[lane + 1]) AS until,
                pg_sequence_last_value(r.sizes[lane + 1]) AS total INTO e;
        END IF;
        EXECUTE format('INSERT INTO slipring.slot_%s_%s VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
                r.id, turn & 7)
            USING lane, e.until + counts[i], counts[i], e.total + octet_length(bodies[i]),
                clock_timestamp(), by_producer, by_number, bodies[i];
        PERFORM setval(r.heads[lane + 1], e.until + counts[i]),
            setval(r.sizes[lane + 1], e.total + octet_length(bodies[i]));
    END LOOP;
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
