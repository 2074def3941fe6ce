-- SPDX-License-Identifier: Apache-2.0
-- Room. -----------------------------------------------------------------------------------------

-- How much of a ring is free, beside what its lanes hold and, if asked, what they have credit for.
-- Of a lane it reads the head before the size; a push moves them the other way round. So a push
-- that is just under way is counted twice rather than not at all. A lane without credit for
-- messages has none for bytes either, whatever that sequence says; of the two sequences the one for
-- bytes is set first, and read last.
CREATE FUNCTION slipring.room(r slipring.ring, with_credit boolean, OUT messages bigint,
        OUT bytes bigint)
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    SELECT r.messages - sum(greatest(head + credit - gate, 0)),
        r.bytes - sum(greatest(size - freed, 0)
            + CASE WHEN credit > 0 THEN greatest(allow - size, 0) ELSE 0 END)
    INTO room.messages, room.bytes
    FROM (SELECT head, gate, size, freed, allow,
            CASE WHEN with_credit THEN greatest(upto - head, 0) ELSE 0 END AS credit
        FROM (SELECT pg_sequence_last_value(h) AS head, pg_sequence_last_value(s) AS size,
                pg_sequence_last_value(g) AS gate, pg_sequence_last_value(f) AS freed,
                pg_sequence_last_value(c) AS upto, pg_sequence_last_value(a) AS allow
            FROM unnest(r.heads, r.sizes, r.gates, r.freed, r.credits, r.allows)
                AS lane (h, s, g, f, c, a)
            OFFSET 0) x) y;
END $$;

-- Takes the credit of all lanes away.
CREATE FUNCTION slipring.no_credit(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM setval(c, 0) FROM slipring.ring r, unnest(r.credits) c
        WHERE r.id = ring_id AND pg_sequence_last_value(c) > 0;
END $$;

-- Whether there is room for what is to be pushed to lanes whose sequences count it already. If
-- there is plenty, a lane gets credit for more, so that its pushes need not ask each time. Under
-- the locks of the lanes.
CREATE FUNCTION slipring.find_room(ring_id bigint, to_lanes int[]) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    r slipring.ring;
    free record;
    lane int := to_lanes[1] + 1;
    sees_all boolean := current_setting('transaction_isolation') = 'read committed';
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    IF r.id IS NULL THEN
        RAISE EXCEPTION 'the ring is not seen here: it was dropped, or made after this transaction'
            ' began' USING ERRCODE = 'SLR01';
    END IF;
    PERFORM setval(r.credits[l + 1], 0) FROM unnest(to_lanes) l;
    IF pg_sequence_last_value(r.stuck) > 0 AND slipring.holder(r) IS NOT NULL
            OR slipring.is_overgrown(r) THEN
        RETURN false;
    END IF;
    SELECT * INTO free FROM slipring.room(r, true);
    IF free.messages < 0 OR free.bytes < 0 THEN
        PERFORM slipring.no_credit(ring_id);
        SELECT * INTO free FROM slipring.room(r, true);
        IF sees_all AND (free.messages < 0 OR free.bytes < 0) THEN
            PERFORM slipring.catch_up(r, false), slipring.take_back(r, to_lanes);
            SELECT * INTO free FROM slipring.room(r, true);
        END IF;
    ELSIF sees_all AND cardinality(to_lanes) = 1
            AND least(free.messages, free.bytes) > r.lanes THEN
        -- That leaves less for other lanes, but something: the lane gets a part of what is left.
        PERFORM setval(r.allows[lane],
            pg_sequence_last_value(r.sizes[lane]) + free.bytes / (r.lanes / 2 + 2));
        PERFORM setval(r.credits[lane],
            pg_sequence_last_value(r.heads[lane]) + free.messages / (r.lanes / 2 + 2));
        -- A change that makes the ring smaller takes the credit away after it: one of the two sees
        -- the other.
        SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
        SELECT * INTO free FROM slipring.room(r, true);
        IF free.messages < 0 OR free.bytes < 0 OR pg_sequence_last_value(r.stuck) > 0 THEN
            -- Something changed between the two looks.
            PERFORM setval(r.credits[lane], 0);
            SELECT * INTO free FROM slipring.room(r, true);
        END IF;
    END IF;
    RETURN free.messages >= 0 AND free.bytes >= 0;
END $$;

-- Whether there is room for a push of so many messages and bytes to each lane, which the sequences
-- of the lanes count already. If not, the sequences are as they were before it. Under the locks of
-- the lanes.
CREATE FUNCTION slipring.find_room_for(ring_id bigint, to_lanes int[], counts bigint[],
        sizes bigint[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    r slipring.ring;
    e record;
    moved boolean := false;
BEGIN
    IF slipring.find_room(ring_id, to_lanes) THEN
        RETURN true;
    END IF;
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    IF current_setting('transaction_isolation') = 'read committed' THEN
        -- The lanes' own sequences may stand where a push left them that was rolled back.
        FOR e IN SELECT x.lane + 1 AS lane, y.until + x.count AS until, y.total + x.size AS total
                FROM unnest(to_lanes, counts, sizes) AS x (lane, count, size),
                    slipring.lane_end(r, x.lane) y LOOP
            IF e.until < pg_sequence_last_value(r.heads[e.lane])
                    OR e.total < pg_sequence_last_value(r.sizes[e.lane]) THEN
                PERFORM setval(r.sizes[e.lane], e.total), setval(r.heads[e.lane], e.until);
                moved := true;
            END IF;
        END LOOP;
        IF moved AND slipring.find_room(ring_id, to_lanes) THEN
            RETURN true;
        END IF;
    END IF;
    PERFORM setval(h, pg_sequence_last_value(h) - x.count),
        setval(s, pg_sequence_last_value(s) - x.size)
        FROM (SELECT r.heads[y.lane + 1] AS h, r.sizes[y.lane + 1] AS s, y.count, y.size
            FROM unnest(to_lanes, counts, sizes) AS y (lane, count, size)) x;
    RETURN false;
END $$;

-- Takes back what rolled-back pushes left in the sequences of lanes that nobody pushes to now, if
-- those count anything as held. The locks are given back at once, even if the transaction around
-- this goes on for long.
CREATE FUNCTION slipring.take_back(r slipring.ring, except_lanes int[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    e record;
    kept bigint;
BEGIN
    FOR lane IN 0..r.lanes - 1 LOOP
        CONTINUE WHEN lane = ANY (except_lanes) OR pg_sequence_last_value(r.heads[lane + 1])
                <= pg_sequence_last_value(r.gates[lane + 1])
            AND pg_sequence_last_value(r.sizes[lane + 1])
                <= pg_sequence_last_value(r.freed[lane + 1]);
        kept := CASE WHEN pg_try_advisory_lock(slipring.lane_lock(r.id, lane))
            THEN slipring.lane_lock(r.id, lane) END;
        IF kept IS NOT NULL THEN
            SELECT * INTO e FROM slipring.lane_end(r, lane);
            -- A look that finds them right writes nothing.
            IF e.until <> pg_sequence_last_value(r.heads[lane + 1])
                    OR e.total <> pg_sequence_last_value(r.sizes[lane + 1]) THEN
                PERFORM setval(r.heads[lane + 1], e.until), setval(r.sizes[lane + 1], e.total);
            END IF;
            kept := CASE WHEN NOT pg_advisory_unlock(kept) THEN kept END;
        END IF;
    END LOOP;
EXCEPTION WHEN query_canceled OR OTHERS THEN
    IF kept IS NOT NULL THEN
        PERFORM pg_advisory_unlock(kept);
    END IF;
    RAISE;
END $$;

-- How much room a ring has; if it has none because of who holds it, or of what was rolled back,
-- also that in words.
CREATE FUNCTION slipring.room_now(ring_name text, OUT free_messages bigint, OUT free_bytes bigint,
        OUT most_messages bigint, OUT most_bytes bigint, OUT holder text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE r slipring.ring := slipring.find(ring_name);
BEGIN
    PERFORM slipring.may(r.id, 'produce');
    SELECT e.messages, e.bytes INTO free_messages, free_bytes FROM slipring.room(r, false) e;
    most_messages := r.messages;
    most_bytes := r.bytes;
    holder := coalesce(
        CASE WHEN pg_sequence_last_value(r.stuck) > 0 THEN slipring.holder(r) END,
        CASE WHEN slipring.is_overgrown(r) THEN 'its segment has grown by pushes that were rolled'
            ' back, and nobody has emptied it; call slipring.tidy' END);
END $$;
