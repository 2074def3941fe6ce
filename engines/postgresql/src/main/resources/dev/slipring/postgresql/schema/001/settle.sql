-- SPDX-License-Identifier: Apache-2.0
-- Settling. --------------------------------------------------------------------------------------

-- What became of a word, and what the claim has left. Status: ok, or, with the reason: fenced (the
-- claim is lost), stray (a message is not in hand, or is settled), bad (the word can never be
-- taken).
CREATE TYPE slipring.settled AS (
    status  text,
    reason  text,
    remains bigint,
    died    int
);

CREATE FUNCTION slipring.fenced(r slipring.ring, w slipring.word) RETURNS slipring.settled
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT ROW('fenced', format('ring ''%s'': the claim of stage ''%s'' in lane %s'
        || ' under epoch %s'
        || ' is not in this worker''s hand any more: it is settled, or its lease ran out, or it was'
        || ' handed on, purged or rewound',
        r.name, w.stage, w.lane, w.epoch), 0, 0)::slipring.settled);
END $$;

-- The refusal of a word because of the positions that it names; null if nothing is wrong with them.
CREATE FUNCTION slipring.wrong(st slipring.stage, h slipring.hand, w slipring.word)
    RETURNS slipring.settled LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    named int8multirange := w.done + slipring.points(w.failed);
    stray bigint := lower(named - h.held);
    place text := 'message ' || w.lane || '-';
    reason text;
BEGIN
    IF slipring.count(named) < slipring.count(w.done) + cardinality(w.failed) THEN
        reason := place || coalesce(lower(w.done * slipring.points(w.failed)), w.failed[1])
            || ' is named twice in one word';
    ELSIF stray IS NOT NULL THEN
        RETURN ROW('stray', place || stray || ' is not in this claim, or it is settled already',
            0, 0)::slipring.settled;
    ELSIF st.ordered AND NOT h.retry THEN
        IF isempty(h.held - named) IS FALSE AND lower(h.held - named) < upper(named) - 1 THEN
            reason := format('stage ''%s'' is ordered: %s%s comes before %s-%s', st.name, place,
                lower(h.held - named), w.lane,
                (SELECT min(p) FROM slipring.each(named) p WHERE p > lower(h.held - named)));
        ELSIF cardinality(w.failed) > 1 OR w.failed[1] < upper(named) - 1 THEN
            reason := format('stage ''%s'' is ordered: a failure ends the claim, nothing behind it'
                || ' can be done or fail', st.name);
        END IF;
    END IF;
    RETURN CASE WHEN reason IS NOT NULL
        THEN ROW('bad', reason, 0, 0)::slipring.settled END;
END $$;

-- Takes a word under the lock of the strand. Changes the strand in memory only.
CREATE FUNCTION slipring.take_word(r slipring.ring, st slipring.stage, INOUT s slipring.strand,
        w slipring.word, of_retry boolean, OUT done slipring.settled) LANGUAGE plpgsql AS $$
DECLARE
    h slipring.hand;
    a record;
    lost bigint;
BEGIN
    SELECT * INTO h FROM unnest(s.hands) x WHERE x.epoch = w.epoch;
    w.at := clock_timestamp();
    IF h.epoch IS NULL OR h.retry <> of_retry OR h.expires <= w.at THEN
        done := slipring.fenced(r, w);
        RETURN;
    END IF;
    done := slipring.wrong(st, h, w);
    IF done.status IS NOT NULL THEN
        RETURN;
    END IF;
    -- A caller's transaction does not ask this: it would lock the segments and may see an old
    -- state. A retry has a copy of its message.
    IF NOT h.retry AND cardinality(w.failed) > 0 THEN
        lost := slipring.first_lost(r, w.lane, w.failed);
    END IF;
    IF lost IS NOT NULL THEN
        done := ROW('bad', format('message %s-%s is not there, or cannot be read;'
            || ' run ''slipring check''', w.lane, lost), 0, 0)::slipring.settled;
        RETURN;
    END IF;
    w.no := h.said;
    SELECT * INTO a FROM slipring.apply(r, st, s, h, w);
    s := a.s;
    done := ROW('ok', NULL, slipring.count((a.h).held), a.died)::slipring.settled;
END $$;

-- Writes a strand down, and moves the gate.
CREATE FUNCTION slipring.write_strand(r slipring.ring, s slipring.strand, done_before bigint)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    s := slipring.derived(s);
    IF s.done <> done_before THEN
        PERFORM slipring.move_gate(r, s.stage, s.lane, s.done,
            CASE s.claimed WHEN s.done THEN s.passed END);
        IF s.dropped > 0 THEN
            s := slipring.forget_dropped(r, s);
        END IF;
    END IF;
    PERFORM slipring.append(s);
END $$;

-- The lanes of those strands for which a word or an arrival is there that is not folded in.
CREATE FUNCTION slipring.behind(strands slipring.strand[]) RETURNS SETOF int
    LANGUAGE plpgsql AS $$
BEGIN
    -- The least, and not whether there is one: for that the planner may read a whole table.
    RETURN QUERY SELECT x.lane FROM unnest(strands) x WHERE slipring.has_words(x)
        OR (SELECT min(a.position) FROM slipring.arrival a WHERE a.ring = x.ring
            AND a.stage = x.stage AND a.lane = x.lane) IS NOT NULL;
END $$;

-- Folds the words and arrivals that there are into a strand, and writes it if that changed
-- anything. If told so, waits for the strand. Returns whether it got it.
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
        PERFORM slipring.write_strand(r, folded, s.done);
    END IF;
    RETURN true;
END $$;

CREATE FUNCTION slipring.word_of(r slipring.ring, st slipring.stage, lane int, epoch bigint,
        done bigint[], failed bigint[], errors text[], waits bigint[], rest text)
    RETURNS slipring.word LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT ROW(epoch & 3, r.id, st.name, lane, epoch, 0, NULL,
        slipring.points(done), failed, errors, waits, rest,
        CASE rest WHEN 'extend' THEN st.lease_ms END)::slipring.word);
END $$;

-- Takes a worker's word in a transaction of its own. If told so, waits for other transactions that
-- have said a word on the claim; else it answers 'held' where there are such, and nothing has
-- happened.
CREATE FUNCTION slipring.settle(ring_name text, stage_name text, of_lane int, of_epoch bigint,
        of_retry boolean, done bigint[], failed bigint[], errors text[], waits bigint[], rest text,
        waiting boolean DEFAULT true)
    RETURNS slipring.settled
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
    st slipring.stage := slipring.find_stage(r, stage_name);
    s slipring.strand;
    folded slipring.strand;
    t record;
    w slipring.word := slipring.word_of(r, st, of_lane, of_epoch, done, failed, errors, waits,
        rest);
    before bigint;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    PERFORM slipring.see_all();
    IF waiting THEN
        PERFORM pg_advisory_xact_lock(slipring.hand_lock(r.id, st.name, of_lane, of_epoch));
        PERFORM pg_advisory_xact_lock(slipring.strand_lock(r.id, st.name, of_lane));
    ELSIF NOT pg_try_advisory_xact_lock(slipring.hand_lock(r.id, st.name, of_lane, of_epoch))
            OR NOT pg_try_advisory_xact_lock(slipring.strand_lock(r.id, st.name, of_lane)) THEN
        RETURN ROW('held', NULL, 0, 0)::slipring.settled;
    END IF;
    s := slipring.strand_now(r.id, st.name, of_lane);
    IF s.ring IS NULL THEN
        RETURN slipring.fenced(r, w);
    END IF;
    before := s.done;
    folded := slipring.fold(r, st, s);
    SELECT * INTO t FROM slipring.take_word(r, st, folded, w, of_retry);
    IF (t.done).status = 'ok' THEN
        PERFORM slipring.write_strand(r, t.s, before);
    ELSIF folded IS DISTINCT FROM s THEN
        -- What was folded in stands in its tables already, whatever became of the word.
        PERFORM slipring.write_strand(r, folded, before);
    END IF;
    RETURN t.done;
END $$;

-- Takes a worker's word inside a transaction that goes on: writes it down. Whoever works on the
-- strand next folds it in. The claim's lock is kept to the end, so that nobody hands the claim on.
--
-- The answer 'unseen': the word is taken, but this transaction sees an old state, in which the
-- claim may be in hand though it is not any more. The reason says how to refuse it then. A caller
-- with another connection asks there by slipring.is_in_hand, and the answer stays true, as the
-- claim is locked.
CREATE FUNCTION slipring.settle_joined(ring_name text, ring_id bigint, stage_name text,
        of_lane int, of_epoch bigint, of_retry boolean, done bigint[], failed bigint[],
        errors text[], waits bigint[], rest text, known_expires timestamptz)
    RETURNS slipring.settled
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name, ring_id);
    st slipring.stage;
    s slipring.strand;
    h slipring.hand;
    x slipring.word;
    w slipring.word;
    sees_all boolean := current_setting('transaction_isolation') = 'read committed';
    said int;
    refusal slipring.settled;
    died int := 0;
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    st := slipring.find_stage(r, stage_name);
    w := slipring.word_of(r, st, of_lane, of_epoch, done, failed, errors, waits, rest);
    PERFORM pg_advisory_xact_lock(slipring.hand_lock(r.id, st.name, of_lane, of_epoch));
    s := slipring.strand_now(r.id, st.name, of_lane);
    SELECT y.* INTO h FROM unnest(s.hands) y WHERE y.epoch = of_epoch;
    IF h.epoch IS NULL AND (known_expires IS NULL OR sees_all OR s.epoch >= of_epoch) THEN
        -- Without a strand: the page that held it was emptied since, and it stands on one that this
        -- transaction does not see.
        IF NOT sees_all AND (s.ring IS NULL OR s.epoch < of_epoch
                AND of_epoch >> 2 > extract(epoch FROM transaction_timestamp()) * 1000000) THEN
            RAISE EXCEPTION 'the claim of stage ''%'' in lane % under epoch % was made after this'
                ' transaction began, which does not see it; roll back and begin again', st.name,
                of_lane, of_epoch USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN slipring.fenced(r, w);
    END IF;
    IF NOT sees_all THEN
        -- Its lease may have been extended since this transaction's snapshot.
        h.expires := greatest(h.expires, known_expires);
    END IF;
    said := greatest(h.said, 0);
    FOR x IN SELECT * FROM slipring.words_on(r.id, st.name, of_lane, of_epoch,
            coalesce(h.said, 0)) LOOP
        said := greatest(said, x.no);
        IF h.epoch IS NOT NULL AND x.at < h.expires THEN
            h.held := h.held - x.done - slipring.points(x.failed);
            IF x.rest IN ('done', 'give_back')
                    OR st.ordered AND NOT of_retry AND cardinality(x.failed) > 0 THEN
                h.held := '{}';
            ELSIF x.rest = 'extend' THEN
                h.expires := x.at + interval '1 millisecond' * x.lease_ms;
            END IF;
        END IF;
    END LOOP;
    -- After the look at its page, which locks the page: so a word that counts is not emptied.
    w.at := clock_timestamp();
    IF coalesce(h.expires, known_expires) <= w.at OR isempty(h.held) THEN
        RETURN slipring.fenced(r, w);
    END IF;
    IF h.epoch IS NOT NULL THEN
        refusal := slipring.wrong(st, h, w);
        IF refusal.status IS NOT NULL THEN
            RETURN refusal;
        END IF;
        died := CASE WHEN h.retry THEN (SELECT count(*) FROM slipring.aside a
                WHERE a.ring = r.id AND a.stage = st.name AND a.lane = of_lane
                AND a.position = ANY (failed) AND a.attempts >= st.tries)
            WHEN h.attempt >= st.tries THEN cardinality(failed) ELSE 0 END;
    END IF;
    -- Without an EXCEPTION, which would be a subtransaction for each word.
    INSERT INTO slipring.word VALUES ((of_epoch & 3)::smallint, r.id, st.name, of_lane,
        of_epoch, said + 1, w.at, w.done, w.failed, w.errors, w.waits, w.rest, w.lease_ms)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND AND sees_all THEN
        -- A change took the claim away after this looked at it.
        RETURN slipring.fenced(r, w);
    ELSIF NOT FOUND THEN
        -- The word was said by a transaction that this one's snapshot does not see.
        RAISE EXCEPTION 'the claim of stage ''%'' in lane % under epoch % was spoken for after this'
            ' transaction''s snapshot was taken; roll back and begin again', st.name, of_lane,
            of_epoch USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM set_config('slipring.said_' || r.id, 'yes', true);
    RETURN ROW(CASE WHEN sees_all THEN 'ok' ELSE 'unseen' END, (slipring.fenced(r, w)).reason,
        CASE WHEN rest IN ('done', 'give_back')
            OR st.ordered AND NOT of_retry AND cardinality(failed) > 0 THEN 0
        ELSE slipring.count(h.held - w.done - slipring.points(w.failed)) END,
        died)::slipring.settled;
END $$;

-- Whether a claim is in hand, whatever words were said on it.
CREATE FUNCTION slipring.is_in_hand(ring_name text, stage_name text, of_lane int, of_epoch bigint)
    RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring_name);
BEGIN
    PERFORM slipring.may(r.id, 'consume');
    RETURN EXISTS (SELECT FROM unnest((slipring.strand_now(r.id, stage_name, of_lane)).hands) h
        WHERE h.epoch = of_epoch);
END $$;
