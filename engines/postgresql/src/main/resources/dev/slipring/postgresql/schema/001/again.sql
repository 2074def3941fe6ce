-- SPDX-License-Identifier: Apache-2.0
-- What is handed out again. ----------------------------------------------------------------------

-- What a claim brings: a row with the claim itself and no body, and rows for its slots. A client
-- may say which bodies it has itself because it pushed them: those of a producer (own_by) from one
-- number (own_from) to another (own_to). If they have more than one piece, they are not read.
CREATE TYPE slipring.taken AS (
    status    text,            -- claimed, nothing, busy, left, fenced, stray, bad
    reason    text,
    next_ms   bigint,          -- when the clock alone may bring something; null if it will not
    lane      int,
    epoch     bigint,
    retry     boolean,
    lease_ms  bigint,
    remains   bigint,          -- of the word that came before
    died      int,
    attempt   int,
    positions bigint[],        -- lower and upper bounds, by turns
    first     bigint,
    pushed_at timestamptz,     -- in the first row: when the lease runs out
    size      int,             -- of the slot, of which this is the first piece; null: all of it
    body      bytea,           -- null: the client has it
    number    bigint,          -- of the push, if the client made it
    ordered   boolean          -- in the first row: whether the stage is, as it was handed out
);

CREATE FUNCTION slipring.bounds(held int8multirange) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT coalesce(array_agg(b ORDER BY b), '{}')
    FROM unnest(held) x, unnest(ARRAY[lower(x), upper(x)]) b);
END $$;

-- Buries what a claim holds after its last attempt.
CREATE FUNCTION slipring.bury(r slipring.ring, INOUT s slipring.strand, h slipring.hand)
    LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    slot slipring.standing;
    now timestamptz := clock_timestamp();
BEGIN
    FOR p IN SELECT slipring.each(h.held) LOOP
        IF (p >= slot.first AND p < slot.until) IS NOT TRUE THEN
            slot := slipring.slot_of(r, s.lane, p);
        END IF;
        s := slipring.set_aside(r, s, h, p, slot.pushed_at,
            slipring.single(slot.body, (p - slot.first)::int), true, format(
            'the lease of worker ''%s'' ran out at the last attempt', h.worker), now, now);
        s.failed := s.failed + 1;
    END LOOP;
    h.held := '{}';
    s.hands := slipring.put_hand(s.hands, h);
END $$;

-- The first positions of a set, as many as wanted. Put together at once: a set of very many pieces
-- would be copied for each of them.
CREATE FUNCTION slipring.first_of(held int8multirange, wanted bigint) RETURNS int8multirange
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT coalesce(range_agg(int8range(lower(x),
            least(upper(x), lower(x) + wanted - y.before))), '{}')
        FROM (SELECT x, (sum(upper(x) - lower(x)) OVER (ORDER BY x))::bigint - upper(x) + lower(x)
            AS before FROM unnest(held) x) y WHERE y.before < wanted);
END $$;

-- How many of the positions one claim may have, so that a worker's memory is bounded: up to and
-- with the slot that makes them too large (bytes_of_claim).
CREATE FUNCTION slipring.as_far_as_bytes_allow(r slipring.ring, of_lane int, held int8multirange)
    RETURNS int8multirange LANGUAGE plpgsql AS $$
DECLARE upto bigint;
BEGIN
    EXECUTE format('SELECT max(until) FROM (SELECT until, sum(size)'
        || ' OVER (ORDER BY until) - size AS before FROM %s x) y'
        || ' WHERE before < slipring.bytes_of_claim()',
        slipring.all_segments(r, slipring.between_positions()))
        INTO upto USING of_lane, lower(held), upper(held);
    RETURN held * int8multirange(int8range(NULL, upto));
END $$;

-- Hands on a claim whose lease ran out, or the first piece of it. The pieces become smaller with
-- each attempt, so that a message that ends its worker dies alone. If it was the last attempt,
-- nothing is in hand afterwards.
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
            s.passed := NULL;
            s.seg := 0;
            s := slipring.come_by(s);
        END IF;
        old.held := '{}';
    END IF;
    s.redelivered := s.redelivered
        + CASE WHEN h.attempt > 1 THEN slipring.count(piece) ELSE 0 END;
    s.hands := slipring.put_hand(slipring.put_hand(s.hands, old), h);
END $$;

-- Hands out messages that had been set aside; those at the end of their attempts die: of their
-- lease, or, if the stage has fewer tries by now, of the failure that was their last.
CREATE FUNCTION slipring.retry(st slipring.stage, INOUT s slipring.strand,
        positions bigint[], by_worker text, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    a slipring.aside;
    handed bigint[] := '{}';
    now timestamptz := clock_timestamp();
BEGIN
    s.epoch := slipring.next_epoch(s.epoch);
    h := ROW(s.epoch, true, '{}', 0, by_worker,
        now + interval '1 millisecond' * st.lease_ms, 0)::slipring.hand;
    FOR a IN SELECT * FROM slipring.aside x WHERE x.ring = s.ring AND x.stage = s.stage
            AND x.lane = s.lane AND x.position = ANY (positions) ORDER BY x.position LOOP
        IF a.attempts >= st.tries THEN
            IF a.epoch <> 0 OR a.failed_at = to_timestamp(0) THEN
                a.error := format('the lease of worker ''%s'' ran out at the last attempt',
                    a.worker);
                a.failed_at := now;
                s.failed := s.failed + 1;
            END IF;
            UPDATE slipring.aside x SET state = 'dead', epoch = 0, failed_at = a.failed_at,
                error = a.error WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
                AND x.position = a.position;
            s.waiting := s.waiting - 1;
            s.dead := s.dead + 1;
        ELSE
            UPDATE slipring.aside x SET epoch = s.epoch, due = h.expires, worker = by_worker,
                attempts = x.attempts + 1
                WHERE x.ring = s.ring AND x.stage = s.stage AND x.lane = s.lane
                AND x.position = a.position;
            s.redelivered := s.redelivered + (a.attempts > 0)::int;
            handed := handed || a.position;
        END IF;
    END LOOP;
    h.held := slipring.points(handed);
    s.hands := slipring.put_hand(s.hands, h);
END $$;

-- Hands out again what ran out or is due in a lane; if there is nothing, nothing is in hand.
CREATE FUNCTION slipring.claim_again(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        most int, by_worker text, due_only boolean, OUT h slipring.hand) LANGUAGE plpgsql AS $$
DECLARE
    old slipring.hand;
    f record;
    w slipring.aside;
    positions bigint[];
    busy bigint[] := '{}';
    now timestamptz;
BEGIN
    FOR old IN SELECT * FROM unnest(s.hands) x ORDER BY x.expires, x.epoch LOOP
        IF old.expires > clock_timestamp() OR NOT pg_try_advisory_xact_lock(
                slipring.hand_lock(s.ring, s.stage, s.lane, old.epoch)) THEN
            busy := busy || old.epoch;
            CONTINUE;
        END IF;
        -- From now on nobody can say anything more about it. What was said counts.
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
        positions := CASE WHEN w.due <= clock_timestamp() AND w.position <= s.claimed
            THEN ARRAY[w.position] END;
    ELSE
        -- In the condition the clock would be looked at for all rows that are not due.
        now := clock_timestamp();
        SELECT array_agg(y.position) INTO positions FROM (
            SELECT x.position, row_number() OVER o AS nth,
                x.attempts > 0 AND x.attempts >= st.tries - 1 AS last,
                first_value(x.attempts > 0 AND x.attempts >= st.tries - 1) OVER o AS first_last,
                sum(octet_length(x.message)) OVER o - octet_length(x.message) AS before
            FROM (SELECT * FROM slipring.aside a WHERE a.ring = s.ring AND a.stage = s.stage
                AND a.lane = s.lane AND a.state = 'waiting' AND a.due <= now
                AND a.epoch <> ALL (busy) ORDER BY a.due, a.position LIMIT most) x
            WINDOW o AS (ORDER BY x.due, x.position)) y
        -- A message at its last attempt is claimed alone.
        WHERE CASE WHEN y.first_last THEN y.nth = 1
            ELSE NOT y.last AND y.before < slipring.bytes_of_claim() END;
    END IF;
    IF positions IS NOT NULL THEN
        SELECT * INTO f FROM slipring.retry(st, s, positions, by_worker);
        s := f.s;
        IF NOT isempty((f.h).held) THEN
            h := f.h;
        END IF;
    END IF;
END $$;
