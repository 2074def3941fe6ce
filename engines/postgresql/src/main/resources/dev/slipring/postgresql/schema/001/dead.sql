-- SPDX-License-Identifier: Apache-2.0
-- Dead letters, for people. ---------------------------------------------------------------------

-- The dead letters of a stage in the order of their lanes: all, or as many as are asked for at most
-- of those behind the letter that is named, so that many can be read a page at a time.
CREATE FUNCTION slipring.dead(ring text, stage text DEFAULT NULL, behind text DEFAULT NULL,
        most int DEFAULT NULL) RETURNS TABLE (id text, attempts int, error text, worker text,
        failed_at timestamptz, key text, body text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    st slipring.stage;
    last_lane int := -1;
    last_position bigint := -1;
BEGIN
    PERFORM slipring.may(r.id, 'consume'), slipring.take_in(r);
    st := slipring.find_stage(r, stage);
    IF most < 1 THEN
        RAISE EXCEPTION 'a list of at most % dead letters; ask for 1 or more', most
            USING ERRCODE = 'SLR05';
    ELSIF behind IS NOT NULL THEN
        PERFORM slipring.check_ids(ARRAY[behind]);
        last_lane := split_part(behind, '-', 1);
        last_position := split_part(behind, '-', 2);
    END IF;
    -- Only the bodies of those that are shown are taken apart.
    RETURN QUERY SELECT a.lane || '-' || a.position, a.attempts, a.error, a.worker, a.failed_at,
        m.key, slipring.readable(m.body)
        FROM (SELECT x.* FROM slipring.aside x WHERE x.ring = r.id AND x.stage = st.name
                AND x.state = 'dead' AND (x.lane, x.position) > (last_lane, last_position)
            ORDER BY x.lane, x.position LIMIT most) a, slipring.message_of(a.message, 0) m
        ORDER BY a.lane, a.position;
END $$;

-- Refuses what is no id of a message.
CREATE FUNCTION slipring.check_ids(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    stray text;
BEGIN
    SELECT left(coalesce(x, 'null'), 80) INTO stray FROM unnest(ids) x
        WHERE (x ~ '^[0-9]{1,4}-[0-9]{1,18}$') IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '''%'' is no message id; slipring.dead gives them, as 0-17', stray
            USING ERRCODE = 'SLR05';
    END IF;
END $$;

-- Takes letters, those named or all, out of the state "dead": either they wait to be handed out
-- again, or nobody gets them any more and only their places stay, until nothing goes by these.
-- Returns how many letters.
CREATE FUNCTION slipring.end_dead(ring text, stage text, ids text[], dropping boolean)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    st slipring.stage;
    s slipring.strand;
    n bigint;
    size bigint;
    total bigint := 0;
    places bigint[];
BEGIN
    PERFORM slipring.may(r.id, 'operate');
    st := slipring.find_stage(r, stage);
    PERFORM slipring.check_ids(ids);
    BEGIN
        PERFORM slipring.hold_ring(ring);
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'ring ''%'' is in use by a transaction that is open (pg_stat_activity shows'
            ' those that are idle in transaction); end it, and try again', ring
            USING ERRCODE = 'lock_not_available';
    END;
    FOR l IN 0..r.lanes - 1 LOOP
        places := CASE WHEN ids IS NOT NULL THEN ARRAY(SELECT split_part(x, '-', 2)::bigint
            FROM unnest(ids) x WHERE split_part(x, '-', 1)::int = l) END;
        -- Either all of them, or those that are named, without a look at the others.
        WITH dead AS (SELECT a.position, octet_length(a.message) AS bytes FROM slipring.aside a
            WHERE a.ring = r.id AND a.stage = st.name AND a.lane = l AND a.state = 'dead'
                AND places IS NULL
            UNION ALL SELECT a.position, octet_length(a.message) FROM slipring.aside a
            WHERE a.ring = r.id AND a.stage = st.name AND a.lane = l AND a.state = 'dead'
                AND a.position = ANY (places)),
        ended AS (UPDATE slipring.aside a SET epoch = 0, due = clock_timestamp(),
            state = CASE WHEN dropping THEN 'dropped' ELSE 'waiting' END,
            attempts = CASE WHEN dropping THEN a.attempts ELSE 0 END,
            message = CASE WHEN dropping THEN '' ELSE a.message END FROM dead d
            WHERE a.ring = r.id AND a.stage = st.name AND a.lane = l AND a.position = d.position)
        SELECT count(*), coalesce(sum(bytes), 0) INTO n, size FROM dead;
        IF n > 0 THEN
            s := slipring.strand_now(r.id, st.name, l);
            s.dead := s.dead - n;
            IF dropping THEN
                s.dropped := s.dropped + n;
                s.kept_bytes := s.kept_bytes - size;
                s := slipring.forget_dropped(r, s);
            ELSE
                s.waiting := s.waiting + n;
            END IF;
            PERFORM slipring.append(s);
            total := total + n;
        END IF;
    END LOOP;
    RETURN total;
END $$;

-- Hands dead letters to their stage again, those named or all; returns how many.
CREATE FUNCTION slipring.dead_retry(ring text, stage text DEFAULT NULL, ids text[] DEFAULT NULL)
    RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS
    $$ SELECT slipring.end_dead(ring, stage, ids, false) $$;

-- Drops dead letters, those named or all; returns how many.
CREATE FUNCTION slipring.dead_drop(ring text, stage text DEFAULT NULL, ids text[] DEFAULT NULL)
    RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS
    $$ SELECT slipring.end_dead(ring, stage, ids, true) $$;
