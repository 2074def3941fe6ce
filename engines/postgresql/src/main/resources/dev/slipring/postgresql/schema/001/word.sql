-- SPDX-License-Identifier: Apache-2.0
-- Words. ------------------------------------------------------------------------------------------
-- A look for words names the one page on which they are: a lock on another page would keep that one
-- from being emptied to the end of the transaction.

-- Whether there are words on a claim that are not folded in.
CREATE FUNCTION slipring.is_spoken_for(ring_id bigint, stage_name text, of_lane int,
        of_epoch bigint, said int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    CASE of_epoch & 3
        WHEN 0 THEN PERFORM FROM slipring.word_0 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 1 THEN PERFORM FROM slipring.word_1 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 2 THEN PERFORM FROM slipring.word_2 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
        WHEN 3 THEN PERFORM FROM slipring.word_3 w WHERE w.ring = ring_id AND w.stage = stage_name
            AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said;
    END CASE;
    RETURN FOUND;
END $$;

-- The words on a claim that are not folded in, in order.
CREATE FUNCTION slipring.words_on(ring_id bigint, stage_name text, of_lane int, of_epoch bigint,
        said int) RETURNS SETOF slipring.word LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    CASE of_epoch & 3
        WHEN 0 THEN RETURN QUERY SELECT * FROM slipring.word_0 w WHERE w.ring = ring_id
            AND w.stage = stage_name AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said
            ORDER BY w.no;
        WHEN 1 THEN RETURN QUERY SELECT * FROM slipring.word_1 w WHERE w.ring = ring_id
            AND w.stage = stage_name AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said
            ORDER BY w.no;
        WHEN 2 THEN RETURN QUERY SELECT * FROM slipring.word_2 w WHERE w.ring = ring_id
            AND w.stage = stage_name AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said
            ORDER BY w.no;
        WHEN 3 THEN RETURN QUERY SELECT * FROM slipring.word_3 w WHERE w.ring = ring_id
            AND w.stage = stage_name AND w.lane = of_lane AND w.epoch = of_epoch AND w.no > said
            ORDER BY w.no;
    END CASE;
END $$;

-- Whether there are words on the claims of a strand that are not folded in.
CREATE FUNCTION slipring.has_words(s slipring.strand) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE h slipring.hand;
BEGIN
    IF cardinality(s.hands) > 0 THEN
        FOREACH h IN ARRAY s.hands LOOP
            IF slipring.is_spoken_for(s.ring, s.stage, s.lane, h.epoch, h.said) THEN
                RETURN true;
            END IF;
        END LOOP;
    END IF;
    RETURN false;
END $$;

-- What a word does. ------------------------------------------------------------------------------

CREATE FUNCTION slipring.int4_at(bytes bytea, place int) RETURNS int
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT (get_byte(b, 0) << 24) | (get_byte(b, 1) << 16) | (get_byte(b, 2) << 8)
        | get_byte(b, 3)
    FROM substring(bytes FROM place + 1 FOR 4) b);
END $$;

-- One message of a slot, as a slot of one.
CREATE FUNCTION slipring.single(slot bytea, index int) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT substring(slot FROM 1 FOR 2) || int4send(1) || int4send(b.until - b.since)
        || substring(slot FROM b.base + b.since + 1 FOR b.until - b.since)
    FROM (SELECT 6 + 4 * slipring.int4_at(slot, 2) AS base,
        CASE index WHEN 0 THEN 0 ELSE slipring.int4_at(slot, 2 + 4 * index) END AS since,
        slipring.int4_at(slot, 6 + 4 * index) AS until) b);
END $$;

CREATE FUNCTION slipring.retry_at(st slipring.stage, attempt int, wait_ms bigint, since timestamptz)
    RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    -- A hundred years at most: what is stored as a word may be anything.
    RETURN (SELECT since + interval '1 millisecond' * round(CASE WHEN wait_ms >= 0
            THEN least(wait_ms, slipring.century())
        ELSE least(st.backoff_first_ms * 2.0 ^ least(greatest(attempt - 1, 0), 40),
            st.backoff_most_ms) * (0.5 + random() / 2) END));
END $$;

-- A slot: its positions, from the first to before the last.
CREATE TYPE slipring.standing AS (
    first     bigint,
    until     bigint,
    pushed_at timestamptz,
    body      bytea
);

-- The slot in which a message of a claim stands; null if somebody deleted some of it. Whoever needs
-- several messages of it asks once.
CREATE FUNCTION slipring.slot_of(r slipring.ring, of_lane int, at_position bigint)
    RETURNS slipring.standing LANGUAGE plpgsql AS $$
DECLARE
    slot slipring.standing;
    size int;
BEGIN
    EXECUTE format('SELECT x.until - n, x.until, x.pushed_at, x.body, size FROM %s x'
            || ' ORDER BY x.until LIMIT 1',
            slipring.all_segments(r, 'lane = $1 AND until > $2 ORDER BY until LIMIT 1'))
        INTO slot.first, slot.until, slot.pushed_at, slot.body, size USING of_lane, at_position;
    IF slot.first > at_position OR octet_length(slot.body) IS DISTINCT FROM size THEN
        slot.first := NULL;
    END IF;
    RETURN slot;
END $$;

-- The first of some messages whose slot is lost; null if none is.
CREATE FUNCTION slipring.first_lost(r slipring.ring, of_lane int, positions bigint[])
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    start bigint;
    upto bigint := 0;
BEGIN
    FOR p IN SELECT x FROM unnest(positions) x ORDER BY x LOOP
        CONTINUE WHEN p < upto;
        SELECT x.first, x.until INTO start, upto FROM slipring.slot_of(r, of_lane, p) x;
        IF start IS NULL THEN
            RETURN p;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- Keeps a message of a claim in a row of its own. If its slot is lost there is nothing to keep,
-- and it counts as failed all the same.
CREATE FUNCTION slipring.set_aside(r slipring.ring, INOUT s slipring.strand, h slipring.hand,
        at_position bigint, pushed_at timestamptz, one bytea, is_dead boolean, why text,
        due timestamptz, since timestamptz)
    LANGUAGE plpgsql AS $$
BEGIN
    IF one IS NULL THEN
        RAISE WARNING 'ring ''%'', stage ''%'': message %-%, which failed, is not there any more',
            r.name, s.stage, s.lane, at_position;
        RETURN;
    END IF;
    INSERT INTO slipring.aside VALUES (s.ring, s.stage, s.lane, at_position,
        CASE WHEN is_dead THEN 'dead' ELSE 'waiting' END, at_position >= s.high, h.attempt,
        due, 0, why, h.worker, since, pushed_at, one);
    IF NOT FOUND THEN
        PERFORM slipring.turned_away('slipring.aside');
    END IF;
    s.dead := s.dead + is_dead::int;
    s.waiting := s.waiting + (NOT is_dead)::int;
    s.kept_bytes := s.kept_bytes + octet_length(one);
END $$;

-- A retry is done: its row goes, and the message goes on to the stages that follow now, as the
-- stage may have been read before the strand was locked.
CREATE FUNCTION slipring.retry_done(INOUT s slipring.strand, at_position bigint)
    LANGUAGE plpgsql AS $$
DECLARE a slipring.aside;
BEGIN
    SELECT * INTO a FROM slipring.aside x WHERE x.ring = s.ring AND x.stage = s.stage
        AND x.lane = s.lane AND x.position = at_position;
    IF s.claimed <= at_position THEN
        -- A rewind will bring the stage past it again.
        UPDATE slipring.aside x SET state = 'dropped', blocks = false, epoch = 0, message = ''
            WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
            AND x.position = at_position;
        s.dropped := s.dropped + 1;
    ELSE
        DELETE FROM slipring.aside x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane AND x.position = at_position;
    END IF;
    s.waiting := s.waiting - 1;
    s.kept_bytes := s.kept_bytes - octet_length(a.message);
    IF a.blocks THEN
        -- A stage that began behind it has nothing to do with it, but those below may have. Where a
        -- stage began changes only under the locks of all strands.
        INSERT INTO slipring.arrival (ring, stage, lane, position, pushed_at, message)
            WITH RECURSIVE way (name) AS (SELECT unnest(x.followers) FROM slipring.stage x
                    WHERE x.ring = s.ring AND x.name = s.stage
                UNION SELECT unnest(x.followers) FROM way w JOIN slipring.stage x
                    ON x.ring = s.ring AND x.name = w.name
                    WHERE at_position < (slipring.strand_now(s.ring, w.name, s.lane)).start)
            SELECT s.ring, w.name, s.lane, at_position, a.pushed_at, a.message FROM way w
            WHERE (at_position < (slipring.strand_now(s.ring, w.name, s.lane)).start) IS NOT TRUE;
    END IF;
END $$;

CREATE FUNCTION slipring.retry_failed(st slipring.stage, INOUT s slipring.strand,
        at_position bigint, why text, wait_ms bigint, since timestamptz)
    LANGUAGE plpgsql AS $$
DECLARE a slipring.aside;
BEGIN
    UPDATE slipring.aside x SET epoch = 0, error = why, failed_at = since,
            state = CASE WHEN x.attempts >= st.tries THEN 'dead' ELSE 'waiting' END,
            due = slipring.retry_at(st, x.attempts, wait_ms, since)
        WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
            AND x.position = at_position
        RETURNING * INTO a;
    IF a.state = 'dead' THEN
        s.waiting := s.waiting - 1;
        s.dead := s.dead + 1;
    END IF;
END $$;

-- Removes what arrived late at an ordered stage, if the stage comes by it again, because what it
-- had claimed went back.
CREATE FUNCTION slipring.come_by(INOUT s slipring.strand) LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
    bytes bigint;
BEGIN
    WITH gone AS (DELETE FROM slipring.aside a WHERE a.ring = s.ring AND a.stage = s.stage
            AND a.lane = s.lane AND a.state = 'waiting' AND a.attempts = 0 AND a.epoch = 0
            AND a.position >= greatest(s.claimed, s.high) RETURNING a.message)
        SELECT count(*), coalesce(sum(octet_length(message)), 0) INTO n, bytes FROM gone;
    s.waiting := s.waiting - n;
    s.kept_bytes := s.kept_bytes - bytes;
END $$;

-- The microseconds since 1970: if a claim is lost with the server, no later claim gets its number.
-- Where the clock was set back, a random number above the last one serves for that. The lowest bits
-- name the page of the log on which words on the claim are written.
CREATE FUNCTION slipring.next_epoch(epoch bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT greatest((epoch >> 2) + 1 + CASE WHEN epoch >> 2
                >= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            THEN (random() * 4096)::bigint ELSE 0 END,
            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) << 2
        | (pg_sequence_last_value('slipring.page') & 3)
$$;

CREATE FUNCTION slipring.put_hand(hands slipring.hand[], h slipring.hand) RETURNS slipring.hand[]
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT ARRAY(SELECT y FROM unnest(hands) y WHERE y.epoch <> h.epoch)
        || CASE WHEN isempty(h.held) THEN '{}' ELSE ARRAY[h] END);
END $$;

-- What a word does to a claim and its strand. A word that came too late does nothing.
CREATE FUNCTION slipring.apply(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        INOUT h slipring.hand, w slipring.word, OUT died int)
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    is_dead boolean;
    slot slipring.standing;
    done int8multirange := w.done * h.held;
BEGIN
    died := 0;
    h.said := w.no;
    IF w.at >= h.expires OR w.rest = 'taken' THEN
        s.hands := slipring.put_hand(s.hands, h);
        RETURN;
    END IF;
    h.held := h.held - done;
    FOR i IN 1..cardinality(w.failed) LOOP
        p := w.failed[i];
        -- A transaction that saw nothing of the claim may name a position that is not in hand.
        CONTINUE WHEN (h.held @> p) IS NOT TRUE;
        h.held := h.held - slipring.points(ARRAY[p]);
        s.failed := s.failed + 1;
        IF h.retry THEN
            s := slipring.retry_failed(st, s, p, coalesce(w.errors[i], ''), w.waits[i], w.at);
            died := died + (SELECT (a.state = 'dead')::int FROM slipring.aside a
                WHERE a.ring = s.ring AND a.stage = s.stage AND a.lane = s.lane
                AND a.position = p);
        ELSE
            is_dead := h.attempt >= st.tries;
            IF (p >= slot.first AND p < slot.until) IS NOT TRUE THEN
                slot := slipring.slot_of(r, s.lane, p);
            END IF;
            s := slipring.set_aside(r, s, h, p, slot.pushed_at,
                slipring.single(slot.body, (p - slot.first)::int), is_dead,
                coalesce(w.errors[i], ''),
                slipring.retry_at(st, h.attempt, w.waits[i], w.at), w.at);
            died := died + is_dead::int;
        END IF;
    END LOOP;
    IF w.rest = 'done' AND NOT (st.ordered AND NOT h.retry AND cardinality(w.failed) > 0) THEN
        done := done + h.held;
        h.held := '{}';
    END IF;
    IF h.retry THEN
        FOR p IN SELECT slipring.each(done) LOOP
            s := slipring.retry_done(s, p);
        END LOOP;
    END IF;
    IF isempty(h.held) THEN
        NULL;
    ELSIF w.rest = 'give_back' OR st.ordered AND NOT h.retry AND cardinality(w.failed) > 0 THEN
        IF h.retry THEN
            UPDATE slipring.aside a SET epoch = 0, attempts = a.attempts - 1, due = w.at
                WHERE a.ring = s.ring AND a.stage = s.stage AND a.lane = s.lane
                AND a.position = ANY (ARRAY(SELECT slipring.each(h.held)));
        ELSIF st.ordered THEN
            s.claimed := lower(h.held);
            s.passed := NULL;
            s.seg := 0;
            s := slipring.come_by(s);
        ELSE
            s.epoch := slipring.next_epoch(s.epoch);
            s.hands := slipring.put_hand(s.hands, ROW(s.epoch, false, h.held, h.attempt - 1, '',
                to_timestamp(0), 0)::slipring.hand);
        END IF;
        h.held := '{}';
    ELSIF w.rest = 'extend' THEN
        -- As the lease was then, although it may be another by now.
        h.expires := w.at + interval '1 millisecond' * w.lease_ms;
        IF h.retry THEN
            UPDATE slipring.aside a SET due = h.expires
                WHERE a.ring = s.ring AND a.stage = s.stage AND a.lane = s.lane
                AND a.position = ANY (ARRAY(SELECT slipring.each(h.held)));
        END IF;
    END IF;
    s.hands := slipring.put_hand(s.hands, h);
END $$;

-- Applies the words on one claim that are not applied yet.
CREATE FUNCTION slipring.fold_hand(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        INOUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    w slipring.word;
    a record;
BEGIN
    FOR w IN SELECT * FROM slipring.words_on(s.ring, s.stage, s.lane, h.epoch, h.said) LOOP
        SELECT * INTO a FROM slipring.apply(r, st, s, h, w);
        s := a.s;
        h := a.h;
    END LOOP;
END $$;

-- Takes in what was done late upstream, if the stage has passed it by and no other ancestor keeps
-- it.
CREATE FUNCTION slipring.take_arrivals(r slipring.ring, st slipring.stage, INOUT s slipring.strand)
    LANGUAGE plpgsql AS $$
DECLARE
    a slipring.arrival;
    comes boolean;
    -- A stage that began late and was rewound still comes by what it has not passed by yet.
    passed bigint := least(greatest(s.claimed, s.high), slipring.follow_limit(r, st, s.lane));
BEGIN
    FOR a IN SELECT * FROM slipring.arrival x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane ORDER BY x.position, x.came LOOP
        -- Where it is lost how far a stage in front is, nobody can tell, and they wait.
        EXIT WHEN EXISTS (SELECT FROM unnest(st.ancestors) n
            WHERE (slipring.strand_now(r.id, n, s.lane)).ring IS NULL);
        -- One statement sees one snapshot: if the last ancestor that kept the message is done with
        -- it meanwhile, it is on its way from there too, which goes with this one. Else it would
        -- come again once this stage is done with it.
        WITH gone AS (DELETE FROM slipring.arrival x WHERE x.ring = s.ring AND x.stage = s.stage
                AND x.lane = s.lane AND x.position = a.position RETURNING x.came)
            SELECT a.position < passed AND EXISTS (SELECT FROM gone)
                AND NOT EXISTS (SELECT FROM slipring.aside k WHERE k.ring = s.ring
                    AND k.stage = ANY (st.ancestors) AND k.lane = s.lane
                    AND k.position = a.position AND k.blocks)
                AND NOT EXISTS (SELECT FROM slipring.arrival k WHERE k.ring = s.ring
                    AND k.stage = ANY (st.ancestors) AND k.lane = s.lane
                    AND k.position = a.position)
                AND NOT EXISTS (SELECT FROM slipring.aside k WHERE k.ring = s.ring
                    AND k.stage = s.stage AND k.lane = s.lane AND k.position = a.position)
            INTO comes;
        IF comes THEN
            INSERT INTO slipring.aside VALUES (s.ring, s.stage, s.lane, a.position, 'waiting',
                true, 0, clock_timestamp(), 0, '', '', to_timestamp(0), a.pushed_at, a.message);
            IF NOT FOUND THEN
                PERFORM slipring.turned_away('slipring.aside');
            END IF;
            s.waiting := s.waiting + 1;
            s.kept_bytes := s.kept_bytes + octet_length(a.message);
        END IF;
    END LOOP;
END $$;

-- Brings a strand up to date with the words and arrivals, in memory. Under the strand's lock.
CREATE FUNCTION slipring.fold(r slipring.ring, st slipring.stage, INOUT s slipring.strand)
    LANGUAGE plpgsql AS $$
DECLARE
    h slipring.hand;
    f record;
BEGIN
    IF slipring.has_words(s) THEN
        FOREACH h IN ARRAY s.hands LOOP
            SELECT * INTO f FROM slipring.fold_hand(r, st, s, h);
            s := f.s;
        END LOOP;
    END IF;
    -- The least, and not whether there is one, as in behind.
    IF cardinality(st.ancestors) > 0 AND (SELECT min(x.position) FROM slipring.arrival x
            WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane) IS NOT NULL THEN
        s := slipring.take_arrivals(r, st, s);
    END IF;
    s := slipring.derived(s);
END $$;
