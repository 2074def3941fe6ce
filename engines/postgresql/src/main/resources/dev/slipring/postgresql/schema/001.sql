-- SPDX-License-Identifier: Apache-2.0
-- Slipring in PostgreSQL, schema version 1.
--
-- Messages stand in slots, slots in segments: tables made with the ring, written by INSERT only,
-- emptied by TRUNCATE when every stage is done with all that is in them, and used again.
-- What stages did stands in a log of strands: each claim appends how the stage stands in the lane.
-- What a worker says inside a transaction of its own stands in a log of words, and the next who
-- works on the strand folds it in. The pages of both logs are emptied by TRUNCATE in turn.
--
-- A read decides no race. What decides is an advisory lock followed by a new statement, a unique
-- index, or a sequence, which everybody sees as it is.

CREATE SCHEMA slipring;

CREATE TABLE slipring.schema (version int NOT NULL);
INSERT INTO slipring.schema VALUES (1);

CREATE TABLE slipring.ring (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text COLLATE "C" NOT NULL UNIQUE,
    version  bigint NOT NULL,
    lanes    int NOT NULL,
    messages bigint NOT NULL,
    bytes    bigint NOT NULL,
    -- Sequences, one per lane: the position behind the last message and the bytes ever pushed,
    -- and how much of both every stage is done with.
    heads    regclass[] NOT NULL,
    sizes    regclass[] NOT NULL,
    gates    regclass[] NOT NULL,
    freed    regclass[] NOT NULL,
    -- Sequences: the number of the segment that takes what is pushed, and whether somebody keeps
    -- the segments from being used again for so long that nothing more can be taken.
    turn     regclass NOT NULL,
    stuck    regclass NOT NULL
);

CREATE TABLE slipring.stage (
    ring             bigint NOT NULL REFERENCES slipring.ring ON DELETE CASCADE,
    name             text COLLATE "C" NOT NULL,
    number           int NOT NULL,
    ordered          boolean NOT NULL,
    lease_ms         bigint NOT NULL,
    tries            int NOT NULL,
    backoff_first_ms bigint NOT NULL,
    backoff_most_ms  bigint NOT NULL,
    keep             bigint NOT NULL,
    paused           boolean NOT NULL,
    after            text[] NOT NULL,
    ancestors        text[] NOT NULL,
    followers        text[] NOT NULL,
    PRIMARY KEY (ring, name)
);

-- A claim in hand: positions of one lane that one worker has.
CREATE TYPE slipring.hand AS (
    epoch   bigint,
    retry   boolean,         -- whether they had been set aside
    held    int8multirange,  -- those that are not settled
    attempt int,
    worker  text,
    expires timestamptz,
    said    int              -- the number of the last word on it that is folded in
);

-- How a stage stands in a lane: the row with the greatest number is the one that holds.
CREATE TABLE slipring.strand (
    page        smallint NOT NULL,
    ring        bigint NOT NULL,
    stage       text COLLATE "C" NOT NULL,
    lane        int NOT NULL,
    no          bigint NOT NULL,
    start       bigint NOT NULL,
    claimed     bigint NOT NULL,
    done        bigint NOT NULL,
    high        bigint NOT NULL,
    epoch       bigint NOT NULL,
    waiting     bigint NOT NULL,
    dead        bigint NOT NULL,
    dropped     bigint NOT NULL,
    kept_bytes  bigint NOT NULL,
    redelivered bigint NOT NULL,
    failed      bigint NOT NULL,
    seg         bigint NOT NULL,  -- the segment in which it claimed last
    expires     timestamptz,      -- when the first lease runs out
    hands       slipring.hand[] NOT NULL,
    PRIMARY KEY (ring, stage, lane, no, page)
) PARTITION BY LIST (page);

-- What a worker said inside its own transaction, in the order of the numbers.
CREATE TABLE slipring.word (
    page   smallint NOT NULL,
    ring   bigint NOT NULL,
    stage  text COLLATE "C" NOT NULL,
    lane   int NOT NULL,
    epoch  bigint NOT NULL,
    no     int NOT NULL,
    at     timestamptz NOT NULL,
    done   int8multirange NOT NULL,
    failed bigint[] NOT NULL,
    errors text[] NOT NULL,
    waits  bigint[] NOT NULL,   -- milliseconds to the retry; negative: as the back-off says
    rest   text NOT NULL,       -- done, keep, extend, give_back; taken: it was handed on
    PRIMARY KEY (ring, stage, lane, epoch, no, page)
) PARTITION BY LIST (page);

DO $$ BEGIN
    FOR i IN 0..3 LOOP
        EXECUTE format('CREATE TABLE slipring.strand_%s PARTITION OF slipring.strand'
            || ' FOR VALUES IN (%s) WITH (autovacuum_enabled = off)', i, i);
        EXECUTE format('CREATE TABLE slipring.word_%s PARTITION OF slipring.word'
            || ' FOR VALUES IN (%s) WITH (autovacuum_enabled = off)', i, i);
    END LOOP;
END $$;

-- The page of the logs that is written now is this modulo 4.
CREATE SEQUENCE slipring.page MINVALUE 0 START 0;
SELECT setval('slipring.page', 0);

-- Messages that a stage keeps by themselves: set aside, dead, or dropped but still in the way.
CREATE TABLE slipring.aside (
    ring      bigint NOT NULL,
    stage     text COLLATE "C" NOT NULL,
    lane      int NOT NULL,
    position  bigint NOT NULL,
    state     text NOT NULL,    -- waiting, dead, dropped
    blocks    boolean NOT NULL, -- whether the stages that follow are kept from it
    attempts  int NOT NULL,
    due       timestamptz NOT NULL,
    epoch     bigint NOT NULL,  -- the claim that has it in hand; 0 if none
    error     text NOT NULL,
    worker    text NOT NULL,
    failed_at timestamptz NOT NULL,
    pushed_at timestamptz NOT NULL,
    message   bytea NOT NULL,   -- a slot of one
    PRIMARY KEY (ring, stage, lane, position)
);
ALTER TABLE slipring.aside ALTER message SET STORAGE EXTERNAL;
CREATE INDEX aside_due ON slipring.aside (ring, stage, due) WHERE state = 'waiting';

-- Messages that a stage was done with late, on their way to a stage that follows.
CREATE TABLE slipring.arrival (
    ring      bigint NOT NULL,
    stage     text COLLATE "C" NOT NULL,
    lane      int NOT NULL,
    position  bigint NOT NULL,
    came      bigint GENERATED ALWAYS AS IDENTITY,
    pushed_at timestamptz NOT NULL,
    message   bytea NOT NULL,
    PRIMARY KEY (ring, stage, lane, position, came)
);

-- How far producers are whose slots have left the ring.
CREATE TABLE slipring.producer (
    ring   bigint NOT NULL,
    id     bigint NOT NULL,
    number bigint NOT NULL,
    seen   timestamptz NOT NULL,
    PRIMARY KEY (ring, id)
);

-- Names of locks. ---------------------------------------------------------------------------

CREATE FUNCTION slipring.lane_lock(ring_id bigint, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT hashtextextended('lane ' || ring_id || ' ' || lane, 7157) $$;

CREATE FUNCTION slipring.strand_lock(ring_id bigint, stage text, lane int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('strand ' || ring_id || ' ' || stage || ' ' || lane, 7157) $$;

CREATE FUNCTION slipring.hand_lock(ring_id bigint, stage text, lane int, epoch bigint)
    RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended('hand ' || ring_id || ' ' || stage || ' ' || lane || ' ' || epoch,
                               7157) $$;

CREATE FUNCTION slipring.shape_lock(ring_id bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT hashtextextended('shape ' || ring_id, 7157) $$;

CREATE FUNCTION slipring.find(ring_name text) RETURNS slipring.ring
    LANGUAGE plpgsql STABLE AS $$
DECLARE r slipring.ring;
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.name = ring_name;
    IF r.id IS NULL THEN
        RAISE EXCEPTION 'no ring ''%''; the rings are: %', ring_name,
            coalesce((SELECT string_agg(x.name, ', ' ORDER BY x.name) FROM slipring.ring x), 'none')
            USING ERRCODE = 'SLR01';
    END IF;
    RETURN r;
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
        RAISE EXCEPTION '%; the stages are %',
            CASE WHEN stage_name IS NULL THEN 'ring ''' || r.name || ''' has several stages'
                ELSE 'no stage ''' || stage_name || '''' END,
            (SELECT string_agg(x.name, ', ' ORDER BY x.number) FROM slipring.stage x
                WHERE x.ring = r.id)
            USING ERRCODE = 'SLR04';
    END IF;
    RETURN s;
END $$;

-- Rings and their segments. -------------------------------------------------------------------

-- Makes what a ring stands on: its row, 8 segments and the sequences of its lanes; no stages.
CREATE FUNCTION slipring.make_ring(ring_name text, lanes int, messages bigint, bytes bigint)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    ring_id bigint;
    kind text;
BEGIN
    ring_id := nextval(pg_get_serial_sequence('slipring.ring', 'id'));
    FOR seg IN 0..7 LOOP
        EXECUTE format('CREATE TABLE slipring.slot_%s_%s (lane int NOT NULL,'
            || ' until bigint NOT NULL, n int NOT NULL, total bigint NOT NULL,'
            || ' pushed_at timestamptz NOT NULL, producer bigint NOT NULL,'
            || ' number bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (lane, until))'
            || ' WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off)', ring_id, seg);
        EXECUTE format('ALTER TABLE slipring.slot_%s_%s ALTER body SET STORAGE EXTERNAL',
            ring_id, seg);
        EXECUTE format('CREATE INDEX ON slipring.slot_%s_%s (producer, number)'
            || ' WHERE producer <> 0', ring_id, seg);
    END LOOP;
    FOREACH kind IN ARRAY ARRAY['head', 'size', 'gate', 'freed'] LOOP
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
    INSERT INTO slipring.ring OVERRIDING SYSTEM VALUE
        SELECT ring_id, ring_name, ring_id << 20, lanes, messages, bytes,
            array_agg(format('slipring.head_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.size_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.gate_%s_%s', ring_id, l)::regclass ORDER BY l),
            array_agg(format('slipring.freed_%s_%s', ring_id, l)::regclass ORDER BY l),
            format('slipring.turn_%s', ring_id)::regclass,
            format('slipring.stuck_%s', ring_id)::regclass
        FROM generate_series(0, lanes - 1) l;
    RETURN ring_id;
END $$;

CREATE FUNCTION slipring.drop_ring(ring_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r slipring.ring;
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    FOR seg IN 0..7 LOOP
        EXECUTE format('DROP TABLE slipring.slot_%s_%s', ring_id, seg);
    END LOOP;
    DELETE FROM slipring.ring x WHERE x.id = ring_id;
    FOR lane IN 0..r.lanes - 1 LOOP
        EXECUTE format('DROP SEQUENCE slipring.head_%1$s_%2$s, slipring.size_%1$s_%2$s,'
            || ' slipring.gate_%1$s_%2$s, slipring.freed_%1$s_%2$s', ring_id, lane);
    END LOOP;
    EXECUTE format('DROP SEQUENCE slipring.turn_%1$s, slipring.stuck_%1$s', ring_id);
    DELETE FROM slipring.strand x WHERE x.ring = ring_id;
    DELETE FROM slipring.word x WHERE x.ring = ring_id;
    DELETE FROM slipring.aside x WHERE x.ring = ring_id;
    DELETE FROM slipring.arrival x WHERE x.ring = ring_id;
    DELETE FROM slipring.producer x WHERE x.ring = ring_id;
END $$;

-- The segments from one turn to another as a row source for a query; the same table is named once.
CREATE FUNCTION slipring.segments(ring_id bigint, from_turn bigint, to_turn bigint, which text)
    RETURNS text LANGUAGE sql STABLE AS $$
    SELECT '(' || string_agg(format('(SELECT until, n, total, pushed_at, producer, number, body,'
            || ' %s::bigint AS turn FROM slipring.slot_%s_%s WHERE %s)',
            t, ring_id, t & 7, which), ' UNION ALL ' ORDER BY t) || ')'
    FROM generate_series(greatest(from_turn, to_turn - 7, 0), to_turn) t
$$;

-- All segments of a ring, whatever turn they are in.
CREATE FUNCTION slipring.all_segments(r slipring.ring, which text)
    RETURNS text LANGUAGE sql STABLE AS $$
    SELECT slipring.segments(r.id, turn - 7, turn, which)
    FROM pg_sequence_last_value(r.turn) turn
$$;

-- Where a lane ends for one who sees all that is committed: behind its last slot.
CREATE FUNCTION slipring.lane_end(r slipring.ring, lane int, OUT until bigint, OUT total bigint)
    LANGUAGE plpgsql AS $$
DECLARE turn bigint := pg_sequence_last_value(r.turn);
BEGIN
    FOR t IN REVERSE turn..greatest(turn - 7, 0) LOOP
        EXECUTE format('SELECT until, total FROM slipring.slot_%s_%s WHERE lane = $1'
            || ' ORDER BY until DESC LIMIT 1', r.id, t & 7) INTO until, total USING lane;
        IF until IS NOT NULL THEN
            RETURN;
        END IF;
    END LOOP;
    -- Every slot that there ever was has left the ring.
    until := pg_sequence_last_value(r.gates[lane + 1]);
    total := pg_sequence_last_value(r.freed[lane + 1]);
END $$;

-- Bytes of the slots of a lane that lie wholly below a position, ever.
CREATE FUNCTION slipring.bytes_below(r slipring.ring, lane int, below bigint)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE total bigint;
BEGIN
    EXECUTE format('SELECT total FROM %s x ORDER BY until DESC LIMIT 1',
        slipring.all_segments(r, 'lane = $1 AND until <= $2')) INTO total USING lane, below;
    IF total IS NULL THEN
        EXECUTE format('SELECT total - octet_length(body) FROM %s x ORDER BY until LIMIT 1',
            slipring.all_segments(r, 'lane = $1')) INTO total USING lane;
    END IF;
    RETURN coalesce(total, pg_sequence_last_value(r.freed[lane + 1]));
END $$;

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
    IF by_producer <> 0 THEN
        EXECUTE format('SELECT 1 FROM %s x LIMIT 1', slipring.segments(r.id, turn - 1, turn,
            'producer = $1 AND number >= $2')) INTO lane USING by_producer, by_number;
        IF lane IS NOT NULL THEN
            pushed := true;
            RETURN;
        END IF;
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

-- Strands. --------------------------------------------------------------------------------------

CREATE FUNCTION slipring.strand_now(ring_id bigint, stage_name text, of_lane int)
    RETURNS slipring.strand LANGUAGE sql VOLATILE AS $$
    SELECT * FROM slipring.strand t
    WHERE t.ring = ring_id AND t.stage = stage_name AND t.lane = of_lane
    ORDER BY t.no DESC LIMIT 1
$$;

-- The part of a claim that stands in the order of the lane.
CREATE FUNCTION slipring.oldest_held(hands slipring.hand[]) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT min(lower(h.held)) FROM unnest(hands) h WHERE NOT h.retry $$;

-- Brings a strand's derived sequences to where its claims leave them.
CREATE FUNCTION slipring.derived(s slipring.strand) RETURNS slipring.strand
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    s.done := coalesce(slipring.oldest_held(s.hands), s.claimed);
    s.high := greatest(s.high, s.done);
    s.expires := (SELECT min(h.expires) FROM unnest(s.hands) h);
    RETURN s;
END $$;

CREATE FUNCTION slipring.append(s slipring.strand) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    s.page := pg_sequence_last_value('slipring.page') & 3;
    s.no := s.no + 1;
    INSERT INTO slipring.strand SELECT s.*;
END $$;

-- The gate of a lane follows the slowest stage; returns how many messages left the ring.
CREATE FUNCTION slipring.move_gate(r slipring.ring, s slipring.strand, total_at_claimed bigint)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    old bigint := pg_sequence_last_value(r.gates[s.lane + 1]);
    new bigint;
BEGIN
    SELECT least(s.done, min((slipring.strand_now(r.id, x.name, s.lane)).done)) INTO new
        FROM slipring.stage x WHERE x.ring = r.id AND x.name <> s.stage;
    IF new = old THEN
        RETURN 0;
    END IF;
    PERFORM setval(r.freed[s.lane + 1], CASE WHEN new = s.claimed AND total_at_claimed IS NOT NULL
            THEN total_at_claimed ELSE slipring.bytes_below(r, s.lane, new) END),
        setval(r.gates[s.lane + 1], new);
    RETURN greatest(new - old, 0);
END $$;

-- Forgets dropped messages of a strand that no rewind can bring it to any more.
CREATE FUNCTION slipring.forget_dropped(r slipring.ring, INOUT s slipring.strand)
    LANGUAGE plpgsql AS $$
DECLARE
    oldest bigint;
    gone bigint;
BEGIN
    EXECUTE format('SELECT until - n FROM %s x ORDER BY until LIMIT 1',
            slipring.all_segments(r, 'lane = $1 AND until > $2'))
        INTO oldest USING s.lane, pg_sequence_last_value(r.gates[s.lane + 1]);
    DELETE FROM slipring.aside a WHERE a.ring = s.ring AND a.stage = s.stage AND a.lane = s.lane
        AND a.state = 'dropped'
        AND a.position < coalesce(oldest, pg_sequence_last_value(r.gates[s.lane + 1]))
        AND NOT EXISTS (SELECT FROM slipring.aside k WHERE k.ring = a.ring AND k.lane = a.lane
            AND k.position = a.position AND k.state <> 'dropped');
    GET DIAGNOSTICS gone = ROW_COUNT;
    s.dropped := s.dropped - gone;
END $$;

-- Settling. ---------------------------------------------------------------------------------------

CREATE FUNCTION slipring.int4_at(bytes bytea, place int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT (get_byte(b, 0) << 24) | (get_byte(b, 1) << 16) | (get_byte(b, 2) << 8)
        | get_byte(b, 3)
    FROM substring(bytes FROM place + 1 FOR 4) b
$$;

-- One message of a slot, as a slot of one.
CREATE FUNCTION slipring.single(slot bytea, index int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT substring(slot FROM 1 FOR 2) || int4send(1) || int4send(b.until - b.since)
        || substring(slot FROM b.base + b.since + 1 FOR b.until - b.since)
    FROM (SELECT 6 + 4 * slipring.int4_at(slot, 2) AS base,
        CASE index WHEN 0 THEN 0 ELSE slipring.int4_at(slot, 2 + 4 * index) END AS since,
        slipring.int4_at(slot, 6 + 4 * index) AS until) b
$$;

CREATE FUNCTION slipring.retry_at(st slipring.stage, attempt int, wait_ms bigint, since timestamptz)
    RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT since + interval '1 millisecond' * round(CASE WHEN wait_ms >= 0 THEN wait_ms
        ELSE least(st.backoff_first_ms * 2.0 ^ least(greatest(attempt - 1, 0), 40),
            st.backoff_most_ms) * (0.5 + random() / 2) END)
$$;

-- Copies a message of a claim into a row of its own.
CREATE FUNCTION slipring.set_aside(r slipring.ring, INOUT s slipring.strand, h slipring.hand,
        at_position bigint, is_dead boolean, why text, due timestamptz, since timestamptz)
    LANGUAGE plpgsql AS $$
DECLARE
    slot record;
    one bytea;
BEGIN
    EXECUTE format('SELECT until - n AS first, pushed_at, body FROM %s x ORDER BY until LIMIT 1',
        slipring.all_segments(r, 'lane = $1 AND until > $2')) INTO slot USING s.lane, at_position;
    one := slipring.single(slot.body, (at_position - slot.first)::int);
    INSERT INTO slipring.aside VALUES (s.ring, s.stage, s.lane, at_position,
        CASE WHEN is_dead THEN 'dead' ELSE 'waiting' END, at_position >= s.high, h.attempt,
        due, 0, why, h.worker, since, slot.pushed_at, one);
    s.dead := s.dead + is_dead::int;
    s.waiting := s.waiting + (NOT is_dead)::int;
    s.kept_bytes := s.kept_bytes + octet_length(one);
END $$;

-- A retry is done: its row goes, and the message goes on to the stages that follow.
CREATE FUNCTION slipring.retry_done(st slipring.stage, INOUT s slipring.strand, at_position bigint)
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
        INSERT INTO slipring.arrival (ring, stage, lane, position, pushed_at, message)
            SELECT s.ring, f, s.lane, at_position, a.pushed_at, a.message
            FROM unnest(st.followers) f;
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

-- What arrived late at an ordered stage that comes by it again, because what it claimed went back.
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

CREATE FUNCTION slipring.next_epoch(epoch bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
    -- The lowest bits name the page of the log on which words about the claim are written.
    SELECT (((epoch >> 2) + 1) << 2) | (pg_sequence_last_value('slipring.page') & 3)
$$;

CREATE FUNCTION slipring.put_hand(hands slipring.hand[], h slipring.hand) RETURNS slipring.hand[]
    LANGUAGE sql IMMUTABLE AS $$
    SELECT ARRAY(SELECT y FROM unnest(hands) y WHERE y.epoch <> h.epoch)
        || CASE WHEN isempty(h.held) THEN '{}' ELSE ARRAY[h] END
$$;

CREATE FUNCTION slipring.points(positions bigint[]) RETURNS int8multirange
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(range_agg(int8range(p, p + 1)), '{}') FROM unnest(positions) p $$;

CREATE FUNCTION slipring.each(held int8multirange) RETURNS SETOF bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT p FROM unnest(held) x, generate_series(lower(x), upper(x) - 1) p $$;

CREATE FUNCTION slipring.count(held int8multirange) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(sum(upper(x) - lower(x)), 0)::bigint FROM unnest(held) x $$;

-- What a word does to a claim and its strand. A word that came too late does nothing.
CREATE FUNCTION slipring.apply(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        INOUT h slipring.hand, w slipring.word, OUT died int)
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    is_dead boolean;
    done int8multirange := w.done * h.held;
BEGIN
    died := 0;
    h.said := w.no;
    IF w.at >= h.expires OR w.rest = 'taken' THEN
        RETURN;
    END IF;
    h.held := h.held - done - slipring.points(w.failed);
    FOR i IN 1..cardinality(w.failed) LOOP
        p := w.failed[i];
        s.failed := s.failed + 1;
        IF h.retry THEN
            s := slipring.retry_failed(st, s, p, w.errors[i], w.waits[i], w.at);
            died := died + (SELECT (a.state = 'dead')::int FROM slipring.aside a
                WHERE a.ring = s.ring AND a.stage = s.stage AND a.lane = s.lane
                AND a.position = p);
        ELSE
            is_dead := h.attempt >= st.tries;
            s := slipring.set_aside(r, s, h, p, is_dead, w.errors[i],
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
            s := slipring.retry_done(st, s, p);
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
            s := slipring.come_by(s);
        ELSE
            s.epoch := slipring.next_epoch(s.epoch);
            s.hands := slipring.put_hand(s.hands, ROW(s.epoch, false, h.held, h.attempt - 1, '',
                to_timestamp(0), 0)::slipring.hand);
        END IF;
        h.held := '{}';
    ELSIF w.rest = 'extend' THEN
        h.expires := w.at + interval '1 millisecond' * st.lease_ms;
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
    FOR w IN SELECT * FROM slipring.word x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane AND x.epoch = h.epoch AND x.no > h.said ORDER BY x.no LOOP
        SELECT * INTO a FROM slipring.apply(r, st, s, h, w);
        s := a.s;
        h := a.h;
    END LOOP;
END $$;

-- Takes in what was done late upstream, where the stage has passed it by and no other keeps it.
CREATE FUNCTION slipring.take_arrivals(r slipring.ring, st slipring.stage, INOUT s slipring.strand)
    LANGUAGE plpgsql AS $$
DECLARE a slipring.arrival;
BEGIN
    FOR a IN SELECT * FROM slipring.arrival x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane ORDER BY x.position, x.came LOOP
        DELETE FROM slipring.arrival x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane AND x.position = a.position AND x.came = a.came;
        IF a.position < s.start THEN
            INSERT INTO slipring.arrival (ring, stage, lane, position, pushed_at, message)
                SELECT s.ring, f, s.lane, a.position, a.pushed_at, a.message
                FROM unnest(st.followers) f;
        ELSIF a.position < greatest(s.claimed, s.high)
            AND NOT EXISTS (SELECT FROM slipring.aside k WHERE k.ring = s.ring
                AND k.stage = ANY (st.ancestors) AND k.lane = s.lane
                AND k.position = a.position AND k.blocks)
            AND NOT EXISTS (SELECT FROM slipring.arrival k WHERE k.ring = s.ring
                AND k.stage = ANY (st.ancestors) AND k.lane = s.lane
                AND k.position = a.position)
            AND NOT EXISTS (SELECT FROM slipring.aside k WHERE k.ring = s.ring
                AND k.stage = s.stage AND k.lane = s.lane AND k.position = a.position) THEN
            INSERT INTO slipring.aside VALUES (s.ring, s.stage, s.lane, a.position, 'waiting',
                true, 0, clock_timestamp(), 0, '', '', to_timestamp(0), a.pushed_at, a.message);
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
    IF cardinality(s.hands) > 0 THEN
        IF EXISTS (SELECT FROM unnest(s.hands) y JOIN slipring.word x ON x.ring = s.ring
                AND x.stage = s.stage AND x.lane = s.lane AND x.epoch = y.epoch
                AND x.no > y.said) THEN
            FOREACH h IN ARRAY s.hands LOOP
                SELECT * INTO f FROM slipring.fold_hand(r, st, s, h);
                s := f.s;
            END LOOP;
        END IF;
    END IF;
    IF cardinality(st.ancestors) > 0 AND EXISTS (SELECT FROM slipring.arrival x
            WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane) THEN
        s := slipring.take_arrivals(r, st, s);
    END IF;
    s := slipring.derived(s);
END $$;

-- What became of a word. Status: ok, fenced, bad (with the reason), and what the claim has left.
CREATE TYPE slipring.settled AS (
    status   text,
    reason   text,
    remains  bigint,
    died     int,
    released bigint
);

CREATE FUNCTION slipring.fenced(r slipring.ring, w slipring.word) RETURNS slipring.settled
    LANGUAGE sql IMMUTABLE AS $$
    SELECT ROW('fenced', format('ring ''%s'': the claim of stage ''%s'' in lane %s under epoch %s'
        || ' is not in this worker''s hand any more: its lease ran out or it was handed on',
        r.name, w.stage, w.lane, w.epoch), 0, 0, 0)::slipring.settled
$$;

-- What is wrong with the positions that a word names; null if nothing is.
CREATE FUNCTION slipring.wrong(st slipring.stage, h slipring.hand, w slipring.word) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    named int8multirange := w.done + slipring.points(w.failed);
    stray bigint := lower(named - h.held);
    place text := 'message ' || w.lane || '-';
BEGIN
    IF stray IS NULL AND slipring.count(named)
            < slipring.count(w.done) + cardinality(w.failed) THEN
        stray := coalesce(lower(w.done * slipring.points(w.failed)), w.failed[1]);
    END IF;
    IF stray IS NOT NULL THEN
        RETURN place || stray || ' is not in this claim, or it is settled already';
    END IF;
    IF st.ordered AND NOT h.retry THEN
        IF isempty(h.held - named) IS FALSE AND lower(h.held - named) < upper(named) - 1 THEN
            RETURN format('stage ''%s'' is ordered: %s%s comes before %s-%s', st.name, place,
                lower(h.held - named), w.lane,
                (SELECT min(p) FROM slipring.each(named) p WHERE p > lower(h.held - named)));
        END IF;
        IF cardinality(w.failed) > 1 OR w.failed[1] < upper(named) - 1 THEN
            RETURN format('stage ''%s'' is ordered: a failure ends the claim, nothing behind it'
                || ' can be done or fail', st.name);
        END IF;
    END IF;
    RETURN NULL;
END $$;

-- Takes a word under the lock of the strand. Changes the strand in memory only.
CREATE FUNCTION slipring.take_word(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        w slipring.word, OUT done slipring.settled) LANGUAGE plpgsql AS $$
DECLARE
    h slipring.hand;
    a record;
    reason text;
BEGIN
    SELECT * INTO h FROM unnest(s.hands) x WHERE x.epoch = w.epoch;
    w.at := clock_timestamp();
    IF h.epoch IS NULL OR h.retry <> (w.page < 0) OR h.expires <= w.at THEN
        done := slipring.fenced(r, w);
        RETURN;
    END IF;
    reason := slipring.wrong(st, h, w);
    IF reason IS NOT NULL THEN
        done := ROW('bad', reason, 0, 0, 0)::slipring.settled;
        RETURN;
    END IF;
    w.no := h.said;
    SELECT * INTO a FROM slipring.apply(r, st, s, h, w);
    s := a.s;
    done := ROW('ok', NULL, slipring.count((a.h).held), a.died, 0)::slipring.settled;
END $$;

-- Writes a strand down, and moves the gate.
CREATE FUNCTION slipring.write_strand(r slipring.ring, s slipring.strand, done_before bigint,
        total bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE released bigint := 0;
BEGIN
    s := slipring.derived(s);
    IF s.done <> done_before THEN
        released := slipring.move_gate(r, s, total);
        IF s.dropped > 0 THEN
            s := slipring.forget_dropped(r, s);
        END IF;
    END IF;
    PERFORM slipring.append(s);
    RETURN released;
END $$;

-- Folds what there is into a strand, and writes it if that changed anything. Waits for the strand
-- if told; returns whether it had it.
CREATE FUNCTION slipring.bring_up(r slipring.ring, st slipring.stage, of_lane int, waiting boolean)
    RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    s slipring.strand;
    folded slipring.strand;
BEGIN
    IF waiting THEN
        PERFORM pg_advisory_xact_lock(slipring.strand_lock(r.id, st.name, of_lane));
    ELSIF NOT pg_try_advisory_xact_lock(slipring.strand_lock(r.id, st.name, of_lane)) THEN
        RETURN false;
    END IF;
    s := slipring.strand_now(r.id, st.name, of_lane);
    IF s.ring IS NULL THEN
        RETURN true;
    END IF;
    folded := slipring.fold(r, st, s);
    IF folded IS DISTINCT FROM s THEN
        PERFORM slipring.write_strand(r, folded, s.done, NULL);
    END IF;
    RETURN true;
END $$;

CREATE FUNCTION slipring.word_of(r slipring.ring, st slipring.stage, lane int, epoch bigint,
        retry boolean, done bigint[], failed bigint[], errors text[], waits bigint[], rest text)
    RETURNS slipring.word LANGUAGE sql IMMUTABLE AS $$
    -- A page below zero stands for a claim of what was set aside.
    SELECT ROW(CASE WHEN retry THEN -1 ELSE epoch & 3 END, r.id, st.name, lane, epoch, 0,
        NULL, slipring.points(done), failed, errors, waits, rest)::slipring.word
$$;

-- Takes a worker's word in a transaction of its own.
CREATE FUNCTION slipring.settle(ring_name text, stage_name text, of_lane int, of_epoch bigint,
        of_retry boolean, done bigint[], failed bigint[], errors text[], waits bigint[], rest text)
    RETURNS slipring.settled
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage := slipring.find_stage(r, stage_name);
    s slipring.strand;
    t record;
    w slipring.word := slipring.word_of(r, st, of_lane, of_epoch, of_retry, done, failed, errors,
        waits, rest);
    before bigint;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    PERFORM pg_advisory_xact_lock(slipring.hand_lock(r.id, st.name, of_lane, of_epoch));
    PERFORM pg_advisory_xact_lock(slipring.strand_lock(r.id, st.name, of_lane));
    s := slipring.strand_now(r.id, st.name, of_lane);
    IF s.ring IS NULL THEN
        RETURN slipring.fenced(r, w);
    END IF;
    before := s.done;
    s := slipring.fold(r, st, s);
    SELECT * INTO t FROM slipring.take_word(r, st, s, w);
    IF (t.done).status = 'ok' THEN
        t.done.released := slipring.write_strand(r, t.s, before, NULL);
    END IF;
    RETURN t.done;
END $$;

-- Takes a worker's word inside a transaction that goes on: writes it down, and who works on the
-- strand next folds it in. The claim's lock is kept to the end, so that nobody hands it on.
CREATE FUNCTION slipring.settle_joined(ring_name text, stage_name text, of_lane int,
        of_epoch bigint, of_retry boolean, done bigint[], failed bigint[], errors text[],
        waits bigint[], rest text, known_no int, known_expires timestamptz)
    RETURNS slipring.settled
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage := slipring.find_stage(r, stage_name);
    h slipring.hand;
    x slipring.word;
    w slipring.word := slipring.word_of(r, st, of_lane, of_epoch, of_retry, done, failed, errors,
        waits, rest);
    said int;
    reason text;
    died int := 0;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    PERFORM pg_advisory_xact_lock(slipring.hand_lock(r.id, st.name, of_lane, of_epoch));
    SELECT y.* INTO h FROM unnest((slipring.strand_now(r.id, st.name, of_lane)).hands) y
        WHERE y.epoch = of_epoch;
    w.at := clock_timestamp();
    IF h.epoch IS NULL AND (known_expires IS NULL
            OR current_setting('transaction_isolation') = 'read committed') THEN
        RETURN slipring.fenced(r, w);
    END IF;
    said := greatest(h.said, known_no, 0);
    FOR x IN SELECT * FROM slipring.word y WHERE y.ring = r.id AND y.stage = st.name
            AND y.lane = of_lane AND y.epoch = of_epoch AND y.no > coalesce(h.said, 0)
            ORDER BY y.no LOOP
        said := greatest(said, x.no);
        IF h.epoch IS NOT NULL AND x.at < h.expires THEN
            h.held := h.held - x.done - slipring.points(x.failed);
            IF x.rest = 'extend' THEN
                h.expires := x.at + interval '1 millisecond' * st.lease_ms;
            ELSIF x.rest <> 'keep' OR st.ordered AND cardinality(x.failed) > 0 THEN
                h.held := '{}';
            END IF;
        END IF;
    END LOOP;
    IF coalesce(h.expires, known_expires) <= w.at OR isempty(h.held) THEN
        RETURN slipring.fenced(r, w);
    END IF;
    IF h.epoch IS NOT NULL THEN
        reason := slipring.wrong(st, h, w);
        IF reason IS NOT NULL THEN
            RETURN ROW('bad', reason, 0, 0, 0)::slipring.settled;
        END IF;
        died := CASE WHEN h.retry THEN (SELECT count(*) FROM slipring.aside a
                WHERE a.ring = r.id AND a.stage = st.name AND a.lane = of_lane
                AND a.position = ANY (failed) AND a.attempts >= st.tries)
            WHEN h.attempt >= st.tries THEN cardinality(failed) ELSE 0 END;
    END IF;
    BEGIN
        INSERT INTO slipring.word VALUES ((of_epoch & 3)::smallint, r.id, st.name, of_lane, of_epoch,
            said + 1, w.at, w.done, w.failed, w.errors, w.waits, w.rest);
    EXCEPTION WHEN unique_violation THEN
        -- Said by one whom this transaction's snapshot does not see.
        RAISE EXCEPTION 'the claim of stage ''%'' in lane % under epoch % was spoken for after this'
            ' transaction''s snapshot was taken; roll back and begin again', st.name, of_lane,
            of_epoch USING ERRCODE = 'serialization_failure';
    END;
    RETURN ROW('ok', NULL, CASE WHEN rest IN ('done', 'give_back')
            OR st.ordered AND NOT of_retry AND cardinality(failed) > 0 THEN 0
        ELSE slipring.count(h.held - w.done - slipring.points(w.failed)) END,
        died, 0)::slipring.settled;
END $$;

-- Claim. --------------------------------------------------------------------------------------

-- What a claim brings: a first row with the claim itself and no body, then a row for each slot.
CREATE TYPE slipring.taken AS (
    status    text,            -- claimed, nothing, busy, fenced, bad
    reason    text,
    next_ms   bigint,          -- when the clock alone may bring something; null if it will not
    lane      int,
    epoch     bigint,
    retry     boolean,
    lease_ms  bigint,
    remains   bigint,          -- of the word that came before
    died      int,
    released  bigint,
    attempt   int,
    positions bigint[],        -- lower and upper bounds, by turns
    first     bigint,
    pushed_at timestamptz,
    body      bytea
);

CREATE FUNCTION slipring.bounds(held int8multirange) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(b ORDER BY b), '{}')
    FROM unnest(held) x, unnest(ARRAY[lower(x), upper(x)]) b
$$;

-- Buries what a claim holds after its last attempt.
CREATE FUNCTION slipring.bury(r slipring.ring, INOUT s slipring.strand, h slipring.hand)
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    now timestamptz := clock_timestamp();
BEGIN
    FOR p IN SELECT slipring.each(h.held) LOOP
        s := slipring.set_aside(r, s, h, p, true, format(
            'the lease of worker ''%s'' ran out at the last attempt', h.worker), now, now);
        s.failed := s.failed + 1;
    END LOOP;
    h.held := '{}';
    s.hands := slipring.put_hand(s.hands, h);
END $$;

-- The first positions of a set, as many as wanted.
CREATE FUNCTION slipring.first_of(held int8multirange, wanted bigint) RETURNS int8multirange
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    x int8range;
    part int8multirange := '{}';
    take bigint;
BEGIN
    FOR x IN SELECT y FROM unnest(held) y LOOP
        take := least(upper(x) - lower(x), wanted);
        EXIT WHEN take <= 0;
        part := part + int8multirange(int8range(lower(x), lower(x) + take));
        wanted := wanted - take;
    END LOOP;
    RETURN part;
END $$;

-- How many of the positions one claim may have, so that a worker's memory is bounded: up to the
-- slot with which they reach 4 MiB.
CREATE FUNCTION slipring.as_far_as_bytes_allow(r slipring.ring, of_lane int, held int8multirange)
    RETURNS int8multirange LANGUAGE plpgsql AS $$
DECLARE upto bigint;
BEGIN
    EXECUTE format('SELECT max(until) FROM (SELECT until, sum(octet_length(body))'
        || ' OVER (ORDER BY until) - octet_length(body) AS before FROM %s x) y'
        || ' WHERE before < 4194304',
        slipring.all_segments(r, 'lane = $1 AND until > $2 AND until - n < $3'))
        INTO upto USING of_lane, lower(held), upper(held);
    RETURN held * int8multirange(int8range(NULL, upto));
END $$;

-- Hands a claim on whose lease ran out, or the first piece of it. The pieces become smaller with
-- each attempt, so that a message that ends its worker dies alone. Nothing is in hand afterwards
-- if it was the last attempt.
CREATE FUNCTION slipring.take_over(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        old slipring.hand, most int, by_worker text, OUT h slipring.hand)
    LANGUAGE plpgsql AS $$
DECLARE
    size bigint := slipring.count(old.held);
    piece int8multirange;
BEGIN
    old.said := old.said + 1;
    INSERT INTO slipring.word VALUES (old.epoch & 3, s.ring, s.stage, s.lane, old.epoch, old.said,
        clock_timestamp(), '{}', '{}', '{}', '{}', 'taken');
    IF old.attempt >= st.tries THEN
        s := slipring.bury(r, s, old);
        RETURN;
    END IF;
    IF old.worker <> '' THEN
        size := CASE WHEN old.attempt + 1 = st.tries THEN 1
            ELSE greatest(1, size >> least(2 * old.attempt, 62)) END;
    END IF;
    piece := slipring.as_far_as_bytes_allow(r, s.lane,
        slipring.first_of(old.held, least(size, most)));
    s.epoch := slipring.next_epoch(s.epoch);
    h := ROW(s.epoch, false, piece, old.attempt + 1, by_worker,
        clock_timestamp() + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
    old.held := old.held - piece;
    IF st.ordered THEN
        IF NOT isempty(old.held) THEN
            s.claimed := lower(old.held);
            s := slipring.come_by(s);
        END IF;
        old.held := '{}';
    END IF;
    s.redelivered := s.redelivered
        + CASE WHEN h.attempt > 1 THEN slipring.count(piece) ELSE 0 END;
    s.hands := slipring.put_hand(slipring.put_hand(s.hands, old), h);
END $$;

-- Hands out messages that had been set aside; those at the end of their attempts die.
CREATE FUNCTION slipring.retry(st slipring.stage, INOUT s slipring.strand,
        positions bigint[], by_worker text, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    a slipring.aside;
    now timestamptz := clock_timestamp();
BEGIN
    s.epoch := slipring.next_epoch(s.epoch);
    h := ROW(s.epoch, true, '{}', 0, by_worker,
        now + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
    FOR a IN SELECT * FROM slipring.aside x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane AND x.position = ANY (positions) ORDER BY x.position LOOP
        IF a.attempts >= st.tries THEN
            UPDATE slipring.aside x SET state = 'dead', epoch = 0, failed_at = now,
                error = format('the lease of worker ''%s'' ran out at the last attempt', x.worker)
                WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
                AND x.position = a.position;
            s.waiting := s.waiting - 1;
            s.dead := s.dead + 1;
        ELSE
            UPDATE slipring.aside x SET epoch = s.epoch, due = h.expires, worker = by_worker,
                attempts = x.attempts + 1
                WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
                AND x.position = a.position;
            s.redelivered := s.redelivered + (a.attempts > 0)::int;
            h.held := h.held + int8multirange(int8range(a.position, a.position + 1));
        END IF;
    END LOOP;
    s.hands := slipring.put_hand(s.hands, h);
END $$;

-- Hands out again what ran out or is due in a lane; nothing is in hand if there is nothing.
CREATE FUNCTION slipring.claim_again(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        most int, by_worker text, due_only boolean, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    old slipring.hand;
    f record;
    w slipring.aside;
    positions bigint[];
    busy bigint[] := '{}';
BEGIN
    FOREACH old IN ARRAY s.hands LOOP
        IF old.expires > clock_timestamp() OR NOT pg_try_advisory_xact_lock(
                slipring.hand_lock(s.ring, s.stage, s.lane, old.epoch)) THEN
            busy := busy || old.epoch;
            CONTINUE;
        END IF;
        -- Now nobody can say anything more about it; what was said counts.
        SELECT * INTO f FROM slipring.fold_hand(r, st, s, old);
        s := f.s;
        SELECT x.* INTO old FROM unnest(s.hands) x WHERE x.epoch = old.epoch;
        CONTINUE WHEN old.epoch IS NULL;
        IF old.expires > clock_timestamp() THEN
            busy := busy || old.epoch;
        ELSIF old.retry THEN
            INSERT INTO slipring.word VALUES (old.epoch & 3, s.ring, s.stage, s.lane, old.epoch,
                old.said + 1, clock_timestamp(), '{}', '{}', '{}', '{}', 'taken');
            old.held := '{}';
            s.hands := slipring.put_hand(s.hands, old);
        ELSIF NOT due_only AND NOT st.ordered THEN
            SELECT * INTO f FROM slipring.take_over(r, st, s, old, most, by_worker);
            s := f.s;
            h := f.h;
            IF h.epoch IS NOT NULL THEN
                RETURN;
            END IF;
        END IF;
    END LOOP;
    IF st.ordered THEN
        IF cardinality(busy) > 0 OR s.waiting = 0 AND cardinality(s.hands) = 0 THEN
            RETURN;
        END IF;
        SELECT * INTO w FROM slipring.aside a WHERE a.ring = s.ring AND a.stage = s.stage
            AND a.lane = s.lane AND a.state = 'waiting' ORDER BY a.position LIMIT 1;
        old := s.hands[1];
        IF old.epoch IS NOT NULL AND (w.ring IS NULL OR lower(old.held) < w.position) THEN
            SELECT * INTO f FROM slipring.take_over(r, st, s, old, most, by_worker);
            s := f.s;
            h := f.h;
            RETURN;
        END IF;
        positions := CASE WHEN w.due <= clock_timestamp() THEN ARRAY[w.position] END;
    ELSE
        SELECT array_agg(y.position) INTO positions FROM (
            SELECT x.position, row_number() OVER o AS nth,
                x.attempts > 0 AND x.attempts = st.tries - 1 AS last,
                first_value(x.attempts > 0 AND x.attempts = st.tries - 1) OVER o AS first_last,
                sum(octet_length(x.message)) OVER o - octet_length(x.message) AS before
            FROM (SELECT * FROM slipring.aside a WHERE a.ring = s.ring AND a.stage = s.stage
                AND a.lane = s.lane AND a.state = 'waiting' AND a.due <= clock_timestamp()
                AND a.epoch <> ALL (busy) ORDER BY a.due, a.position LIMIT most) x
            WINDOW o AS (ORDER BY x.due, x.position)) y
        -- What has its last attempt has it alone.
        WHERE CASE WHEN y.first_last THEN y.nth = 1 ELSE NOT y.last AND y.before < 4194304 END;
    END IF;
    IF positions IS NOT NULL THEN
        SELECT * INTO f FROM slipring.retry(st, s, positions, by_worker);
        s := f.s;
        IF NOT isempty((f.h).held) THEN
            h := f.h;
        END IF;
    END IF;
END $$;

-- How far the stages in front are past a lane.
CREATE FUNCTION slipring.follow_limit(r slipring.ring, st slipring.stage, of_lane int)
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    name text;
    s slipring.strand;
    ancestor slipring.stage;
    upto bigint;
BEGIN
    FOREACH name IN ARRAY st.ancestors LOOP
        s := slipring.strand_now(r.id, name, of_lane);
        IF EXISTS (SELECT FROM unnest(s.hands) y JOIN slipring.word x ON x.ring = s.ring
                AND x.stage = s.stage AND x.lane = s.lane AND x.epoch = y.epoch
                AND x.no > y.said) THEN
            ancestor := slipring.find_stage(r, name);
            IF slipring.bring_up(r, ancestor, of_lane, false) THEN
                s := slipring.strand_now(r.id, name, of_lane);
            END IF;
        END IF;
        upto := least(upto, s.high);
    END LOOP;
    RETURN upto;
END $$;

-- Takes what is new in a lane; nothing is in hand if there is nothing.
CREATE FUNCTION slipring.claim_new(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        most int, by_worker text, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    upto bigint := slipring.follow_limit(r, st, s.lane);
    turn bigint;
    slot record;
    since bigint;
    till bigint;
    free bigint := most;
    bytes bigint := 0;
    held int8multirange := '{}';
    kept int8multirange;
BEGIN
    IF st.ordered AND (s.waiting > 0 OR cardinality(s.hands) > 0) THEN
        RETURN;
    END IF;
    LOOP
        since := s.claimed;
        till := NULL;
        turn := pg_sequence_last_value(r.turn);
        FOR slot IN EXECUTE format(
                'SELECT until, n, turn, octet_length(body) AS size FROM %s x'
                || ' ORDER BY until LIMIT $3',
                slipring.segments(r.id, s.seg, turn, 'lane = $1 AND until > $2'))
                USING s.lane, since, free LOOP
            EXIT WHEN upto <= greatest(slot.until - slot.n, since) OR free = 0 OR bytes >= 4194304;
            since := greatest(slot.until - slot.n, since);
            till := least(slot.until, upto, since + free);
            held := held + int8multirange(int8range(since, till));
            free := free - (till - since);
            bytes := bytes + slot.size;
            s.seg := greatest(s.seg, slot.turn);
            since := till;
        END LOOP;
        EXIT WHEN till IS NULL;
        IF s.waiting + s.dead + s.dropped > 0 OR cardinality(st.ancestors) > 0 THEN
            -- One statement, one snapshot: who leaves the one table comes into the other.
            WITH own AS (SELECT a.position FROM slipring.aside a WHERE a.ring = s.ring
                    AND a.lane = s.lane AND a.position >= s.claimed AND a.position < till
                    AND (a.stage = s.stage OR a.stage = ANY (st.ancestors) AND a.blocks)
                    UNION ALL SELECT x.position FROM slipring.arrival x WHERE x.ring = s.ring
                    AND x.stage = ANY (st.ancestors) AND x.lane = s.lane
                    AND x.position >= s.claimed AND x.position < till),
                here AS (DELETE FROM slipring.arrival x WHERE x.ring = s.ring
                    AND x.stage = s.stage AND x.lane = s.lane AND x.position >= s.claimed
                    AND x.position < till)
                SELECT slipring.points(array_agg(own.position)) INTO kept FROM own;
            held := held - kept;
        END IF;
        s.claimed := till;
        EXIT WHEN NOT isempty(held);
        free := most;
        bytes := 0;
    END LOOP;
    IF NOT isempty(held) THEN
        s.epoch := slipring.next_epoch(s.epoch);
        h := ROW(s.epoch, false, held, 1, by_worker,
            clock_timestamp() + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
        s.hands := s.hands || h;
    END IF;
END $$;

-- Why a stage hands out nothing new, because of what it keeps; null if it may.
CREATE FUNCTION slipring.stalled(r slipring.ring, st slipring.stage, kept numeric, bytes numeric)
    RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT format('stage ''%s'' keeps %s messages with %s bytes set aside or dead, which is its'
        || ' limit; retry or drop its dead letters', st.name, kept, bytes)
    WHERE kept >= st.keep OR bytes >= r.bytes
$$;

-- A claim that is made as the rows that its worker gets.
CREATE FUNCTION slipring.hand_over(r slipring.ring, st slipring.stage, of_lane int,
        h slipring.hand, said slipring.settled) RETURNS SETOF slipring.taken
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT ROW('claimed', NULL, 0, of_lane, h.epoch, h.retry, st.lease_ms, said.remains,
        said.died, said.released, h.attempt, slipring.bounds(h.held), NULL, NULL,
        NULL)::slipring.taken;
    IF h.retry THEN
        RETURN QUERY SELECT NULL::text, NULL::text, NULL::bigint, NULL::int, NULL::bigint,
            NULL::boolean, NULL::bigint, NULL::bigint, NULL::int, NULL::bigint, a.attempts,
            NULL::bigint[], a.position, a.pushed_at, a.message
            FROM slipring.aside a WHERE a.ring = r.id AND a.stage = st.name AND a.lane = of_lane
            AND a.epoch = h.epoch ORDER BY a.position;
    ELSE
        RETURN QUERY EXECUTE format('SELECT NULL::text, NULL::text, NULL::bigint, NULL::int,'
            || ' NULL::bigint, NULL::boolean, NULL::bigint, NULL::bigint, NULL::int,'
            || ' NULL::bigint, $4, NULL::bigint[], until - n, pushed_at, body FROM %s x'
            || ' ORDER BY until',
            slipring.all_segments(r, 'lane = $1 AND until > $2 AND until - n < $3'))
            USING of_lane, lower(h.held), upper(h.held), h.attempt;
    END IF;
END $$;

-- Hands out messages of a stage, after a word on an earlier claim if there is one (epoch not
-- null). Where others are working on every lane that has something, the status is busy, and
-- the same call with that lane waits for it.
CREATE FUNCTION slipring.claim_slots(ring_name text, stage_name text, most int, by_worker text,
        wait_for int, of_lane int, of_epoch bigint, of_retry boolean, done bigint[],
        failed bigint[], errors text[], waits bigint[], rest text)
    RETURNS SETOF slipring.taken
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage := slipring.find_stage(r, stage_name);
    s slipring.strand;
    w slipring.word;
    t record;
    said slipring.settled;
    h slipring.hand;
    strands slipring.strand[];
    peek record;
    busy int;
    before bigint;
    due_lane int;
    lane int;
    first_lane int;
    may_new boolean;
    next_at timestamptz;
    reason text;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    IF of_epoch IS NOT NULL THEN
        said := slipring.settle(ring_name, st.name, of_lane, of_epoch, of_retry, done, failed,
            errors, waits, rest);
        IF said.status <> 'ok' THEN
            RETURN NEXT ROW(said.status, said.reason, 0, of_lane, of_epoch, of_retry, 0, 0, 0, 0,
                0, '{}', NULL, NULL, NULL)::slipring.taken;
            RETURN;
        END IF;
    END IF;
    IF st.paused THEN
        RETURN NEXT ROW('nothing', format('stage ''%s'' is paused', st.name), NULL, 0, 0, false,
            0, said.remains, said.died, said.released, 0, '{}', NULL, NULL, NULL)::slipring.taken;
        RETURN;
    END IF;
    IF wait_for IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(slipring.strand_lock(r.id, st.name, wait_for));
    END IF;
    strands := ARRAY(SELECT slipring.strand_now(r.id, st.name, l)
        FROM generate_series(0, r.lanes - 1) l);
    FOR lane IN SELECT x.lane FROM unnest(strands) x WHERE EXISTS (
            SELECT FROM unnest(x.hands) y JOIN slipring.word z ON z.ring = x.ring
            AND z.stage = x.stage AND z.lane = x.lane AND z.epoch = y.epoch AND z.no > y.said)
            OR EXISTS (SELECT FROM slipring.arrival a WHERE a.ring = x.ring
            AND a.stage = x.stage AND a.lane = x.lane) LOOP
        IF slipring.bring_up(r, st, lane, false) THEN
            strands[lane + 1] := slipring.strand_now(r.id, st.name, lane);
        END IF;
    END LOOP;
    SELECT sum(x.epoch >> 2) AS epochs, sum(x.waiting + x.dead) AS kept,
            sum(x.kept_bytes) AS bytes INTO peek FROM unnest(strands) x;
    reason := slipring.stalled(r, st, peek.kept, peek.bytes);
    first_lane := peek.epochs % r.lanes;
    -- What ran out first, then what is due, then what is new.
    FOR step IN 1..3 LOOP
        CONTINUE WHEN step = 3 AND reason IS NOT NULL;
        CONTINUE WHEN step = 1 AND NOT st.ordered
            AND NOT EXISTS (SELECT FROM unnest(strands) x WHERE x.expires <= clock_timestamp());
        IF step = 2 THEN
            CONTINUE WHEN st.ordered;
            SELECT a.lane INTO due_lane FROM slipring.aside a WHERE a.ring = r.id
                AND a.stage = st.name AND a.state = 'waiting' AND a.due <= clock_timestamp()
                ORDER BY a.due LIMIT 1;
            CONTINUE WHEN due_lane IS NULL;
        END IF;
        FOR i IN 0..r.lanes - 1 LOOP
            lane := (CASE step WHEN 2 THEN due_lane ELSE first_lane END + i) % r.lanes;
            s := strands[lane + 1];
            CONTINUE WHEN CASE step
                WHEN 1 THEN coalesce(s.expires > clock_timestamp(), s.waiting = 0)
                WHEN 2 THEN s.waiting = 0
                ELSE pg_sequence_last_value(r.heads[lane + 1]) <= s.claimed
                END;
            IF NOT pg_try_advisory_xact_lock(slipring.strand_lock(r.id, st.name, lane)) THEN
                busy := coalesce(busy, lane);
                CONTINUE;
            END IF;
            s := slipring.strand_now(r.id, st.name, lane);
            before := s.done;
            s := slipring.fold(r, st, s);
            h := NULL;
            LOOP
                IF step < 3 THEN
                    SELECT * INTO t FROM slipring.claim_again(r, st, s, most, by_worker, step = 2);
                ELSE
                    SELECT * INTO t FROM slipring.claim_new(r, st, s, most, by_worker);
                END IF;
                EXIT WHEN t.s IS NOT DISTINCT FROM s OR (t.h).epoch IS NOT NULL;
                s := t.s;
            END LOOP;
            s := t.s;
            h := t.h;
            IF s IS DISTINCT FROM strands[lane + 1] THEN
                PERFORM slipring.write_strand(r, s, before, NULL);
                strands[lane + 1] := slipring.strand_now(r.id, st.name, lane);
            END IF;
            IF h.epoch IS NOT NULL THEN
                RETURN QUERY SELECT * FROM slipring.hand_over(r, st, lane, h, said);
                RETURN;
            END IF;
        END LOOP;
    END LOOP;
    next_at := least((SELECT min(x.expires) FROM unnest(strands) x),
        (SELECT min(a.due) FROM slipring.aside a WHERE a.ring = r.id AND a.stage = st.name
            AND a.state = 'waiting'));
    RETURN NEXT ROW(CASE WHEN busy IS NULL OR wait_for IS NOT NULL THEN 'nothing' ELSE 'busy' END,
        coalesce(reason, 'nothing to claim'), CASE WHEN next_at IS NOT NULL THEN
            greatest(ceil(extract(epoch FROM next_at - clock_timestamp()) * 1000), 1)::bigint END, coalesce(busy, 0), 0, false, 0,
        said.remains, said.died, said.released, 0, '{}', NULL, NULL, NULL)::slipring.taken;
END $$;

-- Brings every strand of a ring up to date.
CREATE FUNCTION slipring.fold_ring(ring_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage;
BEGIN
    FOR st IN SELECT * FROM slipring.stage x WHERE x.ring = r.id
            ORDER BY cardinality(x.ancestors), x.name LOOP
        FOR lane IN 0..r.lanes - 1 LOOP
            PERFORM slipring.bring_up(r, st, lane, true);
        END LOOP;
    END LOOP;
END $$;

-- Locks all strands of a ring and brings them up to date, for a change of its shape.
CREATE FUNCTION slipring.hold_ring(ring_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r slipring.ring := slipring.find(ring_name);
BEGIN
    PERFORM pg_advisory_xact_lock(slipring.shape_lock(r.id));
    PERFORM slipring.fold_ring(ring_name);
END $$;

-- Writes a strand down as it is given, with only those retries in hand that have their rows.
CREATE FUNCTION slipring.write_down(ring_id bigint, stage_name text, of_lane int,
        numbers bigint[], epochs bigint[], retries boolean[], helds text[], attempts int[],
        workers text[], expiries bigint[], saids int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s slipring.strand := slipring.strand_now(ring_id, stage_name, of_lane);
    r slipring.ring;
BEGIN
    SELECT * INTO r FROM slipring.ring x WHERE x.id = ring_id;
    s.ring := ring_id;
    s.stage := stage_name;
    s.lane := of_lane;
    s.no := coalesce(s.no, 0);
    s.start := numbers[1];
    s.claimed := numbers[2];
    s.done := numbers[3];
    s.high := numbers[4];
    s.epoch := numbers[5];
    s.waiting := numbers[6];
    s.dead := numbers[7];
    s.dropped := numbers[8];
    s.kept_bytes := numbers[9];
    s.redelivered := numbers[10];
    s.failed := numbers[11];
    s.seg := greatest(pg_sequence_last_value(r.turn) - 7, 0);
    s.hands := ARRAY(SELECT ROW(e, y, h::int8multirange, a, w, to_timestamp(x / 1000.0), n)
        ::slipring.hand FROM unnest(epochs, retries, helds, attempts, workers, expiries, saids)
            AS hand (e, y, h, a, w, x, n)
        WHERE NOT y OR EXISTS (SELECT FROM slipring.aside k WHERE k.ring = ring_id
            AND k.stage = stage_name AND k.lane = of_lane AND k.epoch = e));
    s.expires := (SELECT min(h.expires) FROM unnest(s.hands) h);
    PERFORM slipring.append(s);
END $$;

-- Who may do what. --------------------------------------------------------------------------

CREATE TABLE slipring.permit (
    ring bigint NOT NULL REFERENCES slipring.ring ON DELETE CASCADE,
    role name NOT NULL,
    act  text NOT NULL CHECK (act IN ('produce', 'consume', 'operate')),
    PRIMARY KEY (ring, role, act)
);

-- Refuses one who may not. The owner of the schema may everything.
CREATE FUNCTION slipring.may(ring_id bigint, what text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE who name := CASE current_setting('role') WHEN 'none' THEN session_user
    ELSE current_setting('role')::name END;
BEGIN
    IF pg_has_role(who, current_user, 'MEMBER') OR EXISTS (SELECT FROM slipring.permit p
            WHERE p.ring = ring_id AND (p.act = what OR p.act = 'operate')
            AND pg_has_role(who, p.role, 'MEMBER')) THEN
        RETURN;
    END IF;
    RAISE EXCEPTION 'role ''%'' may not % on this ring; ask its owner for: SELECT'
        ' slipring.permit(ring, role, ''%'')', who, what, what
        USING ERRCODE = 'insufficient_privilege';
END $$;

-- Using again. --------------------------------------------------------------------------------

-- Empties what all are done with, and lets the next segment and page begin when the present is
-- full. Never waits: what is in use is left for the next time.
CREATE FUNCTION slipring.tidy(ring_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
BEGIN
    IF current_setting('transaction_isolation') = 'read committed'
        AND pg_try_advisory_xact_lock(hashtextextended('tidy ' || r.id, 7157)) THEN
        PERFORM slipring.tidy_segments(r);
    END IF;
    IF current_setting('transaction_isolation') = 'read committed'
        AND pg_try_advisory_xact_lock(hashtextextended('tidy pages', 7157)) THEN
        PERFORM slipring.tidy_pages();
    END IF;
END $$;

CREATE FUNCTION slipring.tidy_segments(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    turn bigint := pg_sequence_last_value(r.turn);
    quota bigint := least(greatest(r.bytes / 4, 16777216), 67108864);
    size bigint := pg_table_size(format('slipring.slot_%s_%s', r.id, turn & 7)::regclass);
    next regclass := format('slipring.slot_%s_%s', r.id, (turn + 1) & 7)::regclass;
    stuck boolean := false;
BEGIN
    -- A segment begins only after the transaction that emptied it has been committed.
    IF size >= quota AND pg_relation_size(next) = 0 THEN
        turn := turn + 1;
        PERFORM setval(r.turn, turn);
    END IF;
    FOR t IN greatest(turn - 7, 0)..turn - 1 LOOP
        IF pg_relation_size(format('slipring.slot_%s_%s', r.id, t & 7)::regclass) > 0
            AND slipring.is_done_with(r, t) THEN
            IF NOT slipring.empty_segment(r, t) AND ((t - turn) & 7) = 1 THEN
                stuck := size >= quota + least(r.bytes, quota);
            END IF;
        END IF;
    END LOOP;
    IF stuck <> (pg_sequence_last_value(r.stuck) > 0) THEN
        PERFORM setval(r.stuck, stuck::int);
    END IF;
END $$;

-- Whether every stage is done with all that stands in a segment.
CREATE FUNCTION slipring.is_done_with(r slipring.ring, turn bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    gate bigint;
    last bigint;
BEGIN
    FOR lane IN 0..r.lanes - 1 LOOP
        SELECT min((slipring.strand_now(r.id, x.name, lane)).done) INTO gate
            FROM slipring.stage x WHERE x.ring = r.id;
        EXECUTE format('SELECT max(until) FROM slipring.slot_%s_%s WHERE lane = $1', r.id,
            turn & 7) INTO last USING lane;
        IF last > gate THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $$;

-- Empties a segment; false if somebody uses it.
CREATE FUNCTION slipring.empty_segment(r slipring.ring, turn bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('LOCK TABLE slipring.slot_%s_%s IN ACCESS EXCLUSIVE MODE NOWAIT', r.id,
        turn & 7);
    -- Nobody writes to it any more. What came since the first look is seen by this one.
    IF NOT slipring.is_done_with(r, turn) THEN
        RETURN true;
    END IF;
    EXECUTE format('INSERT INTO slipring.producer SELECT $1, producer, max(number),'
        || ' max(pushed_at) FROM slipring.slot_%s_%s WHERE producer <> 0 GROUP BY producer'
        || ' ON CONFLICT (ring, id) DO UPDATE SET number = greatest(excluded.number,'
        || ' producer.number), seen = excluded.seen', r.id, turn & 7) USING r.id;
    DELETE FROM slipring.producer p WHERE p.ring = r.id
        AND p.seen < clock_timestamp() - interval '1 day';
    EXECUTE format('TRUNCATE slipring.slot_%s_%s', r.id, turn & 7);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END $$;

-- Who keeps a segment that all are done with from being emptied, in words; null if nobody does.
CREATE FUNCTION slipring.holder(r slipring.ring) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT format('process %s (%s) has used its segments for %s s and keeps them from being used'
        || ' again', l.pid, coalesce(a.application_name, '?'),
        coalesce(extract(epoch FROM clock_timestamp() - a.xact_start)::bigint, 0))
    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid()
        AND l.relation = format('slipring.slot_%s_%s', r.id,
            (pg_sequence_last_value(r.turn) + 1) & 7)::regclass
    ORDER BY a.xact_start LIMIT 1
$$;

CREATE FUNCTION slipring.tidy_pages() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    page bigint := pg_sequence_last_value('slipring.page');
BEGIN
    IF pg_relation_size(format('slipring.strand_%s', page & 3)::regclass)
            + pg_relation_size(format('slipring.word_%s', page & 3)::regclass) >= 8388608
        AND pg_relation_size(format('slipring.strand_%s', (page + 1) & 3)::regclass)
            + pg_relation_size(format('slipring.word_%s', (page + 1) & 3)::regclass) = 0 THEN
        page := page + 1;
        PERFORM setval('slipring.page', page);
    END IF;
    FOR old IN page + 1..page + 3 LOOP
        IF pg_relation_size(format('slipring.strand_%s', old & 3)::regclass)
                + pg_relation_size(format('slipring.word_%s', old & 3)::regclass) > 0 THEN
            PERFORM slipring.empty_page((old & 3)::int);
        END IF;
    END LOOP;
END $$;

-- Whether anything that holds still stands on a page, or a claim whose words belong there.
CREATE FUNCTION slipring.is_needed(old int) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (SELECT FROM slipring.stage st JOIN slipring.ring r ON r.id = st.ring,
        generate_series(0, r.lanes - 1) l, LATERAL slipring.strand_now(r.id, st.name, l) s
        WHERE s.page = old OR EXISTS (SELECT FROM unnest(s.hands) h WHERE h.epoch & 3 = old))
$$;

-- Carries forward what still holds, and empties a page, unless somebody uses it.
CREATE FUNCTION slipring.empty_page(old int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE s slipring.strand;
BEGIN
    FOR s IN SELECT x.* FROM slipring.stage st JOIN slipring.ring r ON r.id = st.ring,
            generate_series(0, r.lanes - 1) l, LATERAL slipring.strand_now(r.id, st.name, l) x
            WHERE x.page = old LOOP
        IF pg_try_advisory_xact_lock(slipring.strand_lock(s.ring, s.stage, s.lane)) THEN
            PERFORM slipring.append(slipring.strand_now(s.ring, s.stage, s.lane));
        END IF;
    END LOOP;
    IF NOT slipring.is_needed(old) THEN
        EXECUTE format('LOCK TABLE slipring.strand_%1$s, slipring.word_%1$s'
            || ' IN ACCESS EXCLUSIVE MODE NOWAIT', old);
        IF NOT slipring.is_needed(old) THEN
            EXECUTE format('TRUNCATE slipring.strand_%1$s, slipring.word_%1$s', old);
        END IF;
    END IF;
EXCEPTION WHEN lock_not_available THEN
    RETURN;
END $$;

-- Tells those who wait that something may have changed, if anybody does. Who waits holds the lock
-- shared, listens, looks once more, and sleeps.
CREATE FUNCTION slipring.hint() RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF pg_try_advisory_lock(hashtextextended('slipring listens', 7157)) THEN
        PERFORM pg_advisory_unlock(hashtextextended('slipring listens', 7157));
        RETURN false;
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_notify('slipring', '');
    RETURN true;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA slipring FROM PUBLIC;
