-- SPDX-License-Identifier: Apache-2.0
-- Stages as people declare them. --------------------------------------------------------------

-- Refuses a name that rings and stages may not have.
CREATE FUNCTION slipring.check_name(what text, name text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF coalesce(name, '') !~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$' THEN
        RAISE EXCEPTION 'the % name ''%'' is not allowed; use 1 to 63 letters A-Z or a-z,'
            ' digits, ''_'', ''-'' or ''.'', not beginning with ''-'' or ''.''', what,
            left(name, 80)
            USING ERRCODE = 'SLR05';
    END IF;
END $$;

-- A whole number of a declaration, or what it is otherwise.
CREATE FUNCTION slipring.number_of(stage jsonb, what text, otherwise bigint, low bigint,
        high bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE n numeric := otherwise;
BEGIN
    IF stage ? what THEN
        n := CASE jsonb_typeof(stage -> what) WHEN 'number' THEN (stage ->> what)::numeric END;
    END IF;
    IF n IS NULL OR n <> trunc(n) OR n NOT BETWEEN low AND high THEN
        RAISE EXCEPTION 'stage ''%'': % of % is not allowed; use a whole number from % to %',
            stage ->> 'name', what, left(stage ->> what, 80), low, high USING ERRCODE = 'SLR05';
    END IF;
    RETURN n;
END $$;

-- The stages that a declaration names, each checked by itself.
CREATE FUNCTION slipring.declared(ring_id bigint, stages jsonb) RETURNS SETOF slipring.stage
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    x jsonb;
    nth int := 0;
    names text[] := '{}';
    stray text;
    first bigint;
BEGIN
    IF jsonb_typeof(stages) IS DISTINCT FROM 'array' OR stages = '[]' THEN
        RAISE EXCEPTION 'a ring needs at least one stage, as [{"name": "main"}]'
            USING ERRCODE = 'SLR05';
    END IF;
    FOR x IN SELECT jsonb_array_elements(stages) LOOP
        IF jsonb_typeof(x) <> 'object' THEN
            RAISE EXCEPTION 'a stage is declared as {"name": "main"}, not as %', left(x::text, 80)
                USING ERRCODE = 'SLR05';
        END IF;
        PERFORM slipring.check_name('stage', x ->> 'name');
        SELECT min(k) INTO stray FROM jsonb_object_keys(x) k WHERE k NOT IN ('name', 'after',
            'ordered', 'lease_ms', 'tries', 'backoff_first_ms', 'backoff_most_ms', 'keep');
        -- What is null is not given.
        x := (SELECT jsonb_object_agg(key, value) FROM jsonb_each(x) WHERE value <> 'null');
        IF stray IS NOT NULL THEN
            RAISE EXCEPTION 'stage ''%'': there is no ''%'' to declare; use name, after, ordered,'
                ' lease_ms, tries, backoff_first_ms, backoff_most_ms, keep', x ->> 'name',
                left(stray, 80) USING ERRCODE = 'SLR05';
        ELSIF x ->> 'name' = ANY (names) THEN
            RAISE EXCEPTION 'stage ''%'' is declared twice', x ->> 'name' USING ERRCODE = 'SLR05';
        ELSIF coalesce(jsonb_typeof(x -> 'ordered'), 'boolean') <> 'boolean' THEN
            RAISE EXCEPTION 'stage ''%'': ordered is true or false, not %', x ->> 'name',
                left(x ->> 'ordered', 80) USING ERRCODE = 'SLR05';
        ELSIF coalesce(jsonb_typeof(x -> 'after'), 'array') <> 'array'
                OR jsonb_path_exists(x -> 'after', 'strict $[*] ? (@.type() != "string")',
                    silent => true) THEN
            RAISE EXCEPTION 'stage ''%'': after is a list of names, not %', x ->> 'name',
                left(x ->> 'after', 80) USING ERRCODE = 'SLR05';
        END IF;
        names := names || (x ->> 'name');
        first := slipring.number_of(x, 'backoff_first_ms', 1000, 0, slipring.century());
        RETURN NEXT ROW(ring_id, x ->> 'name', nth, coalesce((x ->> 'ordered')::boolean, false),
            slipring.number_of(x, 'lease_ms', 30000, 1, 86400000),
            slipring.number_of(x, 'tries', 5, 1, 1000000),
            first, slipring.number_of(x, 'backoff_most_ms', greatest(first, 600000), first,
                slipring.century()),
            slipring.number_of(x, 'keep', 100000, 1, 9223372036854775807), false,
            ARRAY(SELECT DISTINCT jsonb_array_elements_text(x -> 'after')), '{}', '{}'
            )::slipring.stage;
        nth := nth + 1;
    END LOOP;
END $$;
