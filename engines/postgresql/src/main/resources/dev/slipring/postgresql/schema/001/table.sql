-- SPDX-License-Identifier: Apache-2.0
-- Slipring in PostgreSQL, schema version 1.
--
-- Messages are in slots, and slots in segments: tables that are created with the ring, written
-- by INSERT only, emptied by TRUNCATE when every stage is done with everything in them, and used
-- again. A slot is cut into rows that are small enough not to go to a TOAST table.
--
-- The positions of the stages are in a log of strands: each claim appends the state of the stage
-- in the lane. What a worker reports in a transaction of its own is in a log of words; the next
-- call that works on the strand applies it. The pages of both logs are emptied by TRUNCATE in
-- turn.
--
-- What runs while this is installed names the schema of everything that it calls, because
-- superusers may install it with a search_path in which others have created objects.
--
-- Races are never decided by a read alone, but by an advisory lock followed by a new statement,
-- by a unique index, or by a sequence, whose value everybody sees at once.

DO $$ BEGIN
    IF pg_catalog.getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'this database keeps text as %; Slipring needs one that is made WITH'
            ' ENCODING ''UTF8''', pg_catalog.getdatabaseencoding();
    END IF;
END $$;

-- An empty schema of this role's own will do, if nobody else was granted anything on it. So a role
-- without the right to create schemas gets one (CREATE SCHEMA slipring AUTHORIZATION …).
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace n
            JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) n.nspowner
            WHERE n.nspname OPERATOR(pg_catalog.=) 'slipring' AND n.nspacl IS NULL
            AND o.rolname OPERATOR(pg_catalog.=) CURRENT_USER
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_namespace'::regclass
                AND d.refobjid OPERATOR(pg_catalog.=) n.oid)) THEN
        CREATE SCHEMA slipring;
    END IF;
END $$;

CREATE TABLE slipring.schema (version int NOT NULL);
-- Whoever runs this again, and does not stop at errors, changes nothing.
INSERT INTO slipring.schema SELECT 1 WHERE NOT EXISTS (SELECT FROM slipring.schema);

CREATE TABLE slipring.ring (
    -- Random, as the id stands in the names of what belongs to the ring, and clients keep it: a
    -- client that asks another database, or this one after it was made anew, has to find nothing.
    id       bigint PRIMARY KEY,
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
    -- How far a lane may go before it asks for room again: to which position (else to nothing), and
    -- to how many bytes ever pushed.
    credits  regclass[] NOT NULL,
    allows   regclass[] NOT NULL,
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
    seg         bigint NOT NULL,  -- the segment in which it claimed last, or an earlier one
    passed      bigint,           -- bytes of the slots wholly claimed, ever; null: not known
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
    errors text[] NOT NULL
        CHECK (pg_catalog.array_position(errors, NULL) IS NULL),
    waits  bigint[] NOT NULL,   -- milliseconds to the retry; negative: as the back-off says
    rest   text NOT NULL,       -- done, keep, extend, give_back; taken: it was handed on
    lease_ms bigint,            -- how long the lease lasts that it begins, if it extends one
    PRIMARY KEY (ring, stage, lane, epoch, no, page)
) PARTITION BY LIST (page);

DO $$ BEGIN
    FOR i IN 0..3 LOOP
        EXECUTE pg_catalog.format('CREATE TABLE slipring.strand_%s PARTITION OF slipring.strand'
            || ' FOR VALUES IN (%s) WITH (autovacuum_enabled = off)', i, i);
        EXECUTE pg_catalog.format('CREATE TABLE slipring.word_%s PARTITION OF slipring.word'
            || ' FOR VALUES IN (%s) WITH (autovacuum_enabled = off)', i, i);
    END LOOP;
END $$;

-- The page of the logs that is written now is this modulo 4.
CREATE SEQUENCE slipring.page MINVALUE 0 START 0;
SELECT pg_catalog.setval('slipring.page', 0)
    WHERE pg_catalog.pg_sequence_last_value('slipring.page') IS NULL;

-- The ring that a transaction is to tidy when it ends (slipring.do_chore): a row that nobody else
-- sees. Where all tables are published, a row without an identity could not be deleted.
CREATE TABLE slipring.chore (ring bigint NOT NULL);
ALTER TABLE slipring.chore REPLICA IDENTITY FULL;

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
-- What is due next.
CREATE INDEX aside_due ON slipring.aside (ring, stage, due) WHERE state = 'waiting';
-- What is the first in a lane.
CREATE INDEX aside_waiting ON slipring.aside (ring, stage, lane, position)
    WHERE state = 'waiting';
-- What claims have in hand.
CREATE INDEX aside_hand ON slipring.aside (ring, stage, lane, position) WHERE epoch > 0;
-- What is dropped and still in the way.
CREATE INDEX aside_dropped ON slipring.aside (ring, stage, lane, position)
    WHERE state = 'dropped';

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
