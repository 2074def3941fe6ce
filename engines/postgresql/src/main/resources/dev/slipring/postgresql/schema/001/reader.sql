-- SPDX-License-Identifier: Apache-2.0
-- What people claim and read. -------------------------------------------------------------------

-- Bytes as text if they are any, else as the session shows bytes (bytea_output).
CREATE FUNCTION slipring.readable(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN bytes::text;
END $$;

-- A message of a slot.
CREATE FUNCTION slipring.message_of(slot bytea, index int, OUT key text, OUT headers jsonb,
        OUT body bytea) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    -- Behind two bytes, the count of one and the one end stands the message.
    one bytea := substring(slipring.single(slot, index) FROM 11);
    at int := 4;
    size int;
    names text[] := '{}';
    texts text[] := '{}';
BEGIN
    headers := '{}';
    IF get_byte(slot, 1) & 1 = 0 THEN
        body := one;
        RETURN;
    END IF;
    size := slipring.int4_at(one, 0);
    IF size >= 0 THEN
        key := slipring.readable(substring(one FROM at + 1 FOR size));
        at := at + size;
    END IF;
    at := at + 4;
    FOR i IN 1..slipring.int4_at(one, at - 4) LOOP
        size := slipring.int4_at(one, at);
        names := names || slipring.readable(substring(one FROM at + 5 FOR size));
        at := at + 4 + size;
        size := slipring.int4_at(one, at);
        texts := texts || slipring.readable(substring(one FROM at + 5 FOR size));
        at := at + 4 + size;
    END LOOP;
    headers := jsonb_object(names, texts);
    body := substring(one FROM at + 1);
END $$;

-- Takes in what was said in transactions, if this transaction can. Where nothing was said, it locks
-- nothing, as the transaction around it may stay open for long.
CREATE FUNCTION slipring.take_in(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') = 'read committed'
            AND current_setting('transaction_read_only') = 'off' THEN
        PERFORM slipring.bring_up(r, x, l, false)
            FROM slipring.stage x, generate_series(0, r.lanes - 1) l WHERE x.ring = r.id
            AND (slipring.has_words(slipring.strand_now(r.id, x.name, l))
            OR EXISTS (SELECT FROM slipring.arrival a WHERE a.ring = r.id AND a.stage = x.name
                AND a.lane = l));
    END IF;
END $$;

-- The messages that a ring still holds, without those of a slot that every stage is done with.
CREATE FUNCTION slipring.messages(ring text) RETURNS TABLE (lane int, "position" bigint,
        pushed_at timestamptz, key text, headers jsonb, body text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    below bigint[];
BEGIN
    PERFORM slipring.may(r.id, 'consume'), slipring.take_in(r);
    -- A gate may have been left behind.
    below := slipring.done_below(r);
    FOR l IN 0..r.lanes - 1 LOOP
        RETURN QUERY EXECUTE format('SELECT $1, x.until - x.n + i, x.pushed_at, m.key, m.headers,'
            || ' slipring.readable(m.body) FROM %s x,'
            || ' generate_series(greatest(x.n - x.until + $2, 0)::int, x.n - 1) i,'
            || ' slipring.message_of(x.body, i) m ORDER BY 2',
            slipring.all_segments(r, 'lane = $1 AND until > $2'))
            USING l, below[l + 1];
    END LOOP;
END $$;

-- Whether a claim of this session looked for everything less than a tenth of a second ago and then
-- came to what is new. If so, the next claim takes only what is new, at half of the cost, as Java's
-- workers do.
CREATE FUNCTION slipring.is_calm(r slipring.ring, stage_name text) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE looked text := current_setting('slipring.looked_' || r.id, true);
BEGIN
    -- Behind a pooler the setting may be one that another client left, or anything else.
    RETURN CASE WHEN looked ~ '^[0-9]{1,18}[.][0-9]{6} [^ ]+$'
        THEN split_part(looked, ' ', 2) = stage_name
            AND extract(epoch FROM clock_timestamp()) - split_part(looked, ' ', 1)::numeric
                BETWEEN 0 AND 0.1
        ELSE false END;
END $$;

-- A claim of this session has looked for everything and brought this: remembers whether the next
-- one may leave that look out. Null: it may not.
CREATE FUNCTION slipring.looked(r slipring.ring, stage_name text, taken slipring.taken[])
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_new boolean := (SELECT bool_and(CASE x.status WHEN 'claimed' THEN NOT x.retry
            WHEN 'nothing' THEN x.reason = 'nothing to claim' ELSE x.attempt = 1 END)
        FROM unnest(taken) x);
BEGIN
    PERFORM set_config('slipring.looked_' || r.id, CASE WHEN is_new
        THEN extract(epoch FROM clock_timestamp()) || ' ' || stage_name ELSE '' END, false);
END $$;

-- A claim for people: a row for each message; what names the claim goes back with done and fail.
CREATE FUNCTION slipring.claim(ring text, stage text DEFAULT NULL, most int DEFAULT 1,
        worker text DEFAULT NULL)
    RETURNS TABLE (claim text, "position" bigint, attempt int, key text, headers jsonb, body bytea)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    st slipring.stage;
    by_worker text := coalesce(worker, 'pid ' || pg_backend_pid());
    before text := current_setting('synchronous_commit');
    taken slipring.taken[];
    t slipring.taken;
    held int8multirange;
    named text;
BEGIN
    -- The classes of a regular expression are those of the database's collation.
    IF worker ~ format('[%s-%s%s-%s]', chr(1), chr(31), chr(127), chr(159))
            OR length(worker) NOT BETWEEN 1 AND 200 THEN
        RAISE EXCEPTION 'worker name ''%'' is not allowed; use 1 to 200 characters of text',
            left(worker, 80) USING ERRCODE = 'SLR05';
    ELSIF coalesce(most, 0) < 1 THEN
        RAISE EXCEPTION 'a claim of at most % messages; use 1 or more', coalesce(most::text, 'null')
            USING ERRCODE = 'SLR05';
    END IF;
    PERFORM slipring.may(r.id, 'consume');
    st := slipring.find_stage(r, stage);
    IF slipring.is_calm(r, st.name) THEN
        EXECUTE format('SELECT array_agg(x) FROM slipring.take_%s($1, $2, $3, NULL, NULL, $4, true)'
            || ' x', r.id) INTO taken
            USING st.name, most, by_worker, floor(random() * r.lanes)::int;
        -- How durable the caller's transaction is stays the caller's choice; a claim in a
        -- transaction of its own need not be durable.
        PERFORM set_config('synchronous_commit', before, true);
    ELSE
        taken := ARRAY(SELECT x FROM slipring.claim_slots(ring, st.name, most, by_worker, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) x);
        PERFORM slipring.looked(r, st.name, taken);
    END IF;
    SELECT x.* INTO t FROM unnest(taken) x WHERE x.status = 'claimed';
    IF FOUND THEN
        named := format('%s/%s/%s/%s/%s', ring, st.name, t.lane, t.epoch,
            CASE WHEN t.retry THEN 'retry' ELSE 'new' END);
        held := (SELECT range_agg(int8range(t.positions[2 * i - 1], t.positions[2 * i]))
            FROM generate_series(1, cardinality(t.positions) / 2) i);
        -- The pieces of a slot come one after the other, and the first of them has its position.
        RETURN QUERY SELECT named, p, s.attempt, m.key, m.headers, m.body
            FROM (SELECT min(y.first) AS first, min(y.attempt) AS attempt,
                    string_agg(y.body, '' ORDER BY y.nth) AS body
                FROM (SELECT x.*, count(x.first) OVER (ORDER BY x.ordinality) AS slot,
                        x.ordinality AS nth
                    FROM unnest(taken) WITH ORDINALITY x WHERE x.status IS NULL) y
                GROUP BY y.slot) s,
            slipring.each(held * int8multirange(int8range(s.first,
                s.first + slipring.int4_at(s.body, 2)))) p,
            slipring.message_of(s.body, (p - s.first)::int) m ORDER BY p;
    END IF;
    PERFORM slipring.tidy_due(r);
END $$;

-- Says a word on a claim that slipring.claim named, in the caller's transaction.
CREATE FUNCTION slipring.say(claim text, done bigint[], failed bigint[], errors text[],
        waits bigint[], rest text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    part text[] := string_to_array(claim, '/');
    s slipring.settled;
BEGIN
    IF coalesce(claim, '') !~ '^[^/]*/[^/]*/[0-9]{1,4}/[0-9]{1,18}/(new|retry)$' THEN
        RAISE EXCEPTION '''%'' names no claim; slipring.claim gives the names', left(claim, 80)
            USING ERRCODE = 'SLR05';
    ELSIF array_ndims(done) > 1 OR EXISTS (SELECT FROM unnest(done) x
            WHERE (x BETWEEN 0 AND 999999999999999999) IS NOT TRUE) OR EXISTS (SELECT
            FROM unnest(failed) x WHERE (x BETWEEN 0 AND 999999999999999999) IS NOT TRUE) THEN
        RAISE EXCEPTION 'positions are a list without null; slipring.claim gives them'
            USING ERRCODE = 'SLR05';
    ELSIF waits[1] NOT BETWEEN -1 AND slipring.century() THEN
        RAISE EXCEPTION 'a retry after %; use 0 to a hundred years', CASE WHEN waits[1] < 0
            THEN 'less than nothing' ELSE waits[1] || ' ms' END USING ERRCODE = 'SLR05';
    END IF;
    s := slipring.settle_joined(part[1], NULL, part[2], part[3]::int, part[4]::bigint,
        part[5] = 'retry', done, failed, errors, waits, rest, NULL);
    IF s.status NOT IN ('ok', 'unseen') THEN
        RAISE EXCEPTION '%', s.reason USING ERRCODE =
            CASE s.status WHEN 'fenced' THEN 'SLR03' ELSE 'SLR05' END;
    ELSIF cardinality(failed) > 0 OR rest = 'give_back' THEN
        -- The next claim looks for what may come again.
        PERFORM slipring.looked(slipring.find(part[1]), part[2], NULL);
    END IF;
    RETURN s.remains;
END $$;

-- Done: the whole claim, or the positions that are named. Returns how many messages are still in
-- hand.
CREATE FUNCTION slipring.done(claim text, positions bigint[] DEFAULT NULL) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.say(claim, coalesce(positions, '{}'), '{}', '{}', '{}',
        CASE WHEN positions IS NULL THEN 'done' ELSE 'keep' END) $$;

-- A message failed. It comes again after a time, or as the stage's back-off says. The first 2,000
-- characters of the error are kept.
CREATE FUNCTION slipring.fail(claim text, "position" bigint, error text,
        retry_after interval DEFAULT NULL) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.say(claim, '{}', ARRAY["position"],
        ARRAY[left(coalesce(error, ''), 2000)], ARRAY[CASE
        WHEN retry_after < '0' THEN -2 ELSE coalesce(
        (extract(epoch FROM retry_after) * 1000)::bigint, -1) END], 'keep') $$;

-- The lease lasts anew from now.
CREATE FUNCTION slipring.extend(claim text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.say(claim, '{}', '{}', '{}', '{}', 'extend') $$;

-- What is left of the claim goes back at once.
CREATE FUNCTION slipring.give_back(claim text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS
    $$ SELECT slipring.say(claim, '{}', '{}', '{}', '{}', 'give_back') $$;

-- How the stages of a ring stand, in messages, and, if a stage hands out nothing new, why.
CREATE FUNCTION slipring.info(ring text) RETURNS TABLE (stage text, claimed numeric, done numeric,
        lag numeric, in_hand numeric, aside numeric, dead numeric, redelivered numeric,
        failed numeric, paused boolean, reason text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE r slipring.ring := slipring.find(ring);
BEGIN
    PERFORM slipring.may(r.id, 'consume'), slipring.take_in(r);
    RETURN QUERY SELECT x.name, t.claimed, t.done, t.lag, t.in_hand, t.aside, t.dead,
        t.redelivered, t.failed, x.paused,
        CASE WHEN x.paused THEN format('stage ''%s'' is paused', x.name)
            ELSE slipring.stalled(r, x, t.aside + t.dead, t.bytes) END
        FROM slipring.stage x, LATERAL (SELECT sum(s.claimed) AS claimed, sum(s.done) AS done,
            sum((SELECT e.until FROM slipring.lane_end(r, l) e) - s.done) AS lag,
            sum((SELECT coalesce(sum(slipring.count(h.held)), 0) FROM unnest(s.hands) h
                WHERE h.worker <> '')) AS in_hand, sum(s.waiting) AS aside, sum(s.dead) AS dead,
            sum(s.redelivered) AS redelivered, sum(s.failed) AS failed,
            sum(s.kept_bytes) AS bytes
            FROM generate_series(0, r.lanes - 1) l, slipring.strand_now(r.id, x.name, l) s) t
        WHERE x.ring = r.id ORDER BY x.number;
END $$;
