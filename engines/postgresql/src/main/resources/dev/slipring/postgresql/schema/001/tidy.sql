-- SPDX-License-Identifier: Apache-2.0
-- Using again. --------------------------------------------------------------------------------

-- Empties what all stages are done with, and lets the next segment and page begin when the present
-- one is full. Never waits: what is in use is left for the next time. For every role that may use
-- the ring.
--
-- A segment or page begins to be used only if the transaction that emptied it was committed,
-- because a sequence that has moved on is not rolled back (slipring.could_refill). The tables that
-- this empties are locked to the end of the transaction.
CREATE FUNCTION slipring.tidy(ring text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
BEGIN
    UNLISTEN slipring_nobody; -- As in slipring.may.
    IF NOT slipring.is_permitted(r.id, '{produce,consume,operate}') THEN
        PERFORM slipring.may(r.id, 'operate');
    END IF;
    PERFORM slipring.see_all();
    PERFORM slipring.tidy_all(r);
END $$;

CREATE FUNCTION slipring.tidy_all(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    free record;
BEGIN
    SELECT * INTO free FROM slipring.room(r, false);
    IF free.messages < r.messages / 2 OR free.bytes < r.bytes / 2 THEN
        -- What rolled-back pushes left counts as held for transactions that cannot look for
        -- themselves.
        PERFORM slipring.take_back(r, '{}');
    END IF;
    IF pg_try_advisory_xact_lock(slipring.lock_of('tidy ' || r.id)) THEN
        PERFORM slipring.tidy_segments(r);
    END IF;
    IF pg_try_advisory_xact_lock(slipring.lock_of('tidy pages')) THEN
        PERFORM slipring.tidy_pages();
    END IF;
END $$;

-- Has the transaction tidy when it ends, where a segment or a page is full, or the ring seems more
-- than half full: for clients of rings on which no Java program works. It does so only now and
-- then, as something may stand in its way for long.
--
-- Only a trigger that is put off to the end surely comes at the end: a function does not see
-- whether its transaction goes on behind the statement. In one that goes on, others would wait for
-- what is locked.
CREATE FUNCTION slipring.tidy_due(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    turn bigint := pg_sequence_last_value(r.turn);
    free record;
BEGIN
    IF random() >= 0.1 THEN
        RETURN;
    END IF;
    SELECT * INTO free FROM slipring.room(r, false);
    IF slipring.is_page_full() OR slipring.quota(r) <=
            pg_relation_size(format('slipring.slot_%s_%s', r.id, turn & 7)::regclass)
            OR free.messages < r.messages / 2 OR free.bytes < r.bytes / 2 THEN
        INSERT INTO slipring.chore VALUES (r.id);
    END IF;
END $$;

CREATE FUNCTION slipring.do_chore() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
    SET row_security = off SET enable_seqscan = off AS $$
DECLARE
    r slipring.ring;
BEGIN
    -- By its place: while somebody holds an old snapshot, the table has many dead rows.
    DELETE FROM slipring.chore c WHERE c.ctid = NEW.ctid;
    SELECT * INTO r FROM slipring.ring x WHERE x.id = NEW.ring;
    IF FOUND THEN
        BEGIN
            PERFORM slipring.tidy_all(r);
        EXCEPTION WHEN OTHERS THEN
            -- No error of it is a reason for the claim to fail; somebody will look again.
            NULL;
        END;
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON slipring.chore
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slipring.do_chore();

-- Whether this transaction has emptied one of some tables, and would fill it again if it were
-- rolled back. Its lock on the table tells, as the lock goes with what a savepoint takes back. A
-- setting does not tell, as any role could set it.
CREATE FUNCTION slipring.could_refill(VARIADIC tables regclass[]) RETURNS boolean
    LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_backend_pid()
        AND l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock'
        AND l.relation = ANY (tables)
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
$$;

-- At how many bytes a segment ends.
CREATE FUNCTION slipring.quota(r slipring.ring) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT least(greatest(r.bytes / 4, 16 << 20), 64 << 20)
$$;

-- How many bytes the segments of a ring take at most. What the ring may hold takes no more than
-- this: a body of a little more than half a page has a page to itself, and each message may have a
-- row and entries in two indexes.
CREATE FUNCTION slipring.most_on_disk(r slipring.ring) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT 8 * slipring.quota(r) + 3 * r.bytes::numeric + 256 * r.messages::numeric
$$;

-- Whether the present segment alone has grown to that: then it is full of pushes that were rolled
-- back, which count neither as held nor as pushed, and nobody has emptied it meanwhile.
CREATE FUNCTION slipring.is_overgrown(r slipring.ring) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT pg_relation_size(format('slipring.slot_%s_%s', r.id,
        pg_sequence_last_value(r.turn) & 7)::regclass) >= slipring.most_on_disk(r)
$$;

-- How many bytes a page of the logs has.
CREATE FUNCTION slipring.page_size(page bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT pg_relation_size(format('slipring.strand_%s', page & 3)::regclass)
        + pg_relation_size(format('slipring.word_%s', page & 3)::regclass)
$$;

-- Whether the present page is full.
CREATE FUNCTION slipring.is_page_full() RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT slipring.page_size(pg_sequence_last_value('slipring.page')) >= 8 << 20
$$;

-- Whether somebody keeps the other pages for so long that the present one has grown beyond all
-- measure. The log is that of all rings.
CREATE FUNCTION slipring.is_log_stuck() RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT slipring.page_size(pg_sequence_last_value('slipring.page')) >= 128 << 20
$$;

CREATE FUNCTION slipring.tidy_segments(r slipring.ring) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    turn bigint := pg_sequence_last_value(r.turn);
    t bigint;
    quota bigint := slipring.quota(r);
    size bigint := pg_table_size(format('slipring.slot_%s_%s', r.id, turn & 7)::regclass);
    next regclass := format('slipring.slot_%s_%s', r.id, (turn + 1) & 7)::regclass;
    stuck boolean := false;
    below bigint[];
    all_size bigint;
BEGIN
    -- A segment begins only after the transaction that emptied it has been committed.
    IF size >= quota AND pg_relation_size(next) = 0 AND NOT slipring.could_refill(next) THEN
        turn := turn + 1;
        PERFORM setval(r.turn, turn);
    END IF;
    FOR back IN REVERSE least(turn, 7)..1 LOOP
        t := turn - back;
        CONTINUE WHEN
            pg_relation_size(format('slipring.slot_%s_%s', r.id, t & 7)::regclass) = 0;
        below := coalesce(below, slipring.done_below(r));
        IF slipring.is_done_with(r, t, below) THEN
            IF NOT slipring.empty_segment(r, t) AND ((t - turn) & 7) = 1 THEN
                stuck := size >= quota + least(r.bytes, quota);
            END IF;
        END IF;
    END LOOP;
    IF size >= quota AND pg_relation_size(next) > 0 THEN
        -- Some stage is not done with what stands there.
        SELECT sum(pg_table_size(format('slipring.slot_%s_%s', r.id, seg)::regclass)) INTO all_size
            FROM generate_series(0, 7) seg;
        stuck := stuck OR all_size >= slipring.most_on_disk(r);
    END IF;
    stuck := stuck OR slipring.is_log_stuck();
    IF stuck <> (pg_sequence_last_value(r.stuck) > 0) THEN
        PERFORM setval(r.stuck, stuck::int);
        -- A push with credit does not look whether the segments are stuck.
        PERFORM slipring.no_credit(r.id);
    END IF;
END $$;

-- For each lane how far all stages are done; nothing, if a strand of it is lost.
CREATE FUNCTION slipring.done_below(r slipring.ring) RETURNS bigint[] LANGUAGE sql VOLATILE AS $$
    SELECT array_agg((SELECT min(coalesce((slipring.strand_now(r.id, x.name, lane)).done, 0))
        FROM slipring.stage x WHERE x.ring = r.id) ORDER BY lane)
    FROM generate_series(0, r.lanes - 1) lane
$$;

-- Whether everything in a segment is below what all stages are done with, lane by lane.
CREATE FUNCTION slipring.is_done_with(r slipring.ring, turn bigint, below bigint[])
    RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    done boolean;
BEGIN
    EXECUTE format('SELECT NOT EXISTS (SELECT FROM unnest($1) WITH ORDINALITY b(below, lane),'
        || ' LATERAL (SELECT s.until FROM slipring.slot_%s_%s s WHERE s.lane = b.lane - 1'
        || ' AND NOT s.rest ORDER BY s.until DESC LIMIT 1) last WHERE last.until > b.below)',
        r.id, turn & 7) INTO done USING below;
    RETURN done;
END $$;

-- Empties a segment; false if somebody uses it.
CREATE FUNCTION slipring.empty_segment(r slipring.ring, turn bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('LOCK TABLE slipring.slot_%s_%s IN ACCESS EXCLUSIVE MODE NOWAIT', r.id,
        turn & 7);
    -- Nobody writes to it any more. This look sees what came after the first one.
    IF NOT slipring.is_done_with(r, turn, slipring.done_below(r)) THEN
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

-- In words, who keeps the log, or else the oldest segment, from being emptied: a process that has
-- used it, or a stage that is not done with what stands there; null if nobody does.
CREATE FUNCTION slipring.holder(r slipring.ring) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    oldest text := format('slipring.slot_%s_%s', r.id, (pg_sequence_last_value(r.turn) + 1) & 7);
    words text;
BEGIN
    IF slipring.is_log_stuck() THEN
        words := slipring.user_of(VARIADIC ARRAY(
            SELECT format('slipring.%s_%s', log, page)::regclass
            FROM unnest('{strand,word}'::text[]) log, generate_series(0, 3) page
            WHERE page <> pg_sequence_last_value('slipring.page') & 3));
        IF words IS NOT NULL THEN
            RETURN words;
        END IF;
    END IF;
    EXECUTE format('SELECT format(''stage %%L is not done with message %%s-%%s, whose segment is'
        || ' to be used again'', st.name, l, (st.s).done) FROM (SELECT x.name, l,'
        || ' slipring.strand_now($1, x.name, l) AS s FROM slipring.stage x,'
        || ' generate_series(0, $2 - 1) l WHERE x.ring = $1) st'
        || ' WHERE (st.s).done < (SELECT y.until FROM %s y WHERE y.lane = st.l AND NOT y.rest'
        || ' ORDER BY y.until DESC LIMIT 1) ORDER BY (st.s).done LIMIT 1', oldest)
        INTO words USING r.id, r.lanes;
    RETURN coalesce(words, slipring.user_of(oldest::regclass));
END $$;

-- In words, the process or prepared transaction that has used one of some tables for longest; null
-- if none has. A role that is no member of pg_read_all_stats does not see since when other roles
-- have used them.
CREATE FUNCTION slipring.user_of(VARIADIC tables regclass[]) RETURNS text
    LANGUAGE sql VOLATILE AS $$
    SELECT format('%s has used its segments%s and keeps them from being used again',
        CASE WHEN l.pid IS NULL THEN format('prepared transaction %L', coalesce(p.gid, '?'))
            ELSE format('process %s (%s)', l.pid,
                coalesce(nullif(a.application_name, ''), '?')) END,
        ' for ' || extract(epoch FROM clock_timestamp()
            - coalesce(a.xact_start, p.prepared))::bigint || ' s')
    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
        LEFT JOIN pg_locks x ON l.pid IS NULL AND x.pid IS NULL
            AND x.virtualtransaction = l.virtualtransaction AND x.locktype = 'transactionid'
        LEFT JOIN pg_prepared_xacts p ON p.transaction = x.transactionid
    WHERE l.locktype = 'relation' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
        AND l.relation = ANY (tables)
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    ORDER BY coalesce(a.xact_start, p.prepared) LIMIT 1
$$;

CREATE FUNCTION slipring.tidy_pages() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    page bigint := pg_sequence_last_value('slipring.page');
BEGIN
    IF slipring.is_page_full() AND slipring.page_size(page + 1) = 0 AND NOT slipring.could_refill(
            VARIADIC ARRAY(SELECT format('slipring.%s_%s', log, (page + 1) & 3)::regclass
                FROM unnest('{strand,word}'::text[]) log)) THEN
        page := page + 1;
        PERFORM setval('slipring.page', page);
    END IF;
    IF NOT EXISTS (SELECT FROM generate_series(page + 1, page + 3) old
            WHERE slipring.page_size(old) > 0) THEN
        RETURN;
    END IF;
    -- The part that reads slots comes before the first lock on a page: a transaction that empties a
    -- segment reads pages.
    PERFORM slipring.carry(page);
    FOR ahead IN 1..3 LOOP
        IF slipring.page_size(page + ahead) > 0 THEN
            PERFORM slipring.empty_page(((page + ahead) & 3)::int);
        END IF;
    END LOOP;
END $$;

-- Whether a page has a row of a strand that still holds, or a word that counts. A word that is
-- folded in counts as long as the lease of its claim: a transaction with an older snapshot, which
-- does not see the word, has to meet its number. After the lease the clock refuses that
-- transaction.
CREATE FUNCTION slipring.is_needed(old int) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (SELECT FROM slipring.stage st JOIN slipring.ring r ON r.id = st.ring,
        generate_series(0, r.lanes - 1) l, LATERAL slipring.strand_now(r.id, st.name, l) s
        WHERE s.page = old OR EXISTS (SELECT FROM unnest(s.hands) h WHERE h.epoch & 3 = old
            AND (h.said > 0 AND h.expires > clock_timestamp()
                OR slipring.is_spoken_for(s.ring, s.stage, s.lane, h.epoch, h.said))))
$$;

-- Takes words in, and carries to the present page what still holds, unless somebody is at work
-- there. It does so for some strands only, as each takes a lock to the end of the transaction; the
-- next call goes on.
CREATE FUNCTION slipring.carry(present bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s slipring.strand;
    r slipring.ring;
BEGIN
    FOR s IN SELECT x.* FROM slipring.stage st JOIN slipring.ring y ON y.id = st.ring,
            generate_series(0, y.lanes - 1) l, LATERAL slipring.strand_now(y.id, st.name, l) x
            WHERE x.page <> present & 3 OR slipring.has_words(x) LIMIT 500 LOOP
        IF slipring.has_words(s) THEN
            -- Perhaps nobody works on the stage.
            SELECT * INTO r FROM slipring.ring y WHERE y.id = s.ring;
            PERFORM slipring.bring_up(r, slipring.find_stage(r, s.stage), s.lane, false);
        ELSIF pg_try_advisory_xact_lock(slipring.strand_lock(s.ring, s.stage, s.lane)) THEN
            PERFORM slipring.append(slipring.strand_now(s.ring, s.stage, s.lane));
        END IF;
    END LOOP;
END $$;

-- Empties a page, unless somebody uses it.
CREATE FUNCTION slipring.empty_page(old int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
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

-- Counts up when something has changed, for processes that look: a hint, outside of any
-- transaction.
CREATE SEQUENCE slipring.news MINVALUE 0 START 0;
SELECT pg_catalog.setval('slipring.news', 0)
    WHERE pg_catalog.pg_sequence_last_value('slipring.news') IS NULL;

-- Tells other processes that something may have changed. Returns whether anybody listens, beside
-- the session that is named; if one is named, that look is expensive. A process that listens holds
-- the first lock shared. As long as there is news it looks for it itself; then it takes the second
-- lock shared too, looks once more, and sleeps until it is notified.
CREATE FUNCTION slipring.hint(beside int) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
    PERFORM nextval('slipring.news');
    IF pg_try_advisory_xact_lock(slipring.lock_of('slipring listens')) THEN
        RETURN false;
    ELSIF NOT pg_try_advisory_xact_lock(slipring.lock_of('slipring sleeps')) THEN
        PERFORM set_config('synchronous_commit', 'off', true);
        PERFORM pg_notify('slipring', '');
    END IF;
    RETURN beside IS NULL OR EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory'
        AND l.granted AND l.pid <> beside AND l.objsubid = 1
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        AND (l.classid::bigint << 32 | l.objid::bigint)
            = slipring.lock_of('slipring listens'));
END $$;
