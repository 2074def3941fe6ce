-- SPDX-License-Identifier: Apache-2.0
-- Lets a role produce, consume or operate on a ring. --------------------------------------------

CREATE FUNCTION slipring.permit(ring text, role name, act text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    f regprocedure;
    for_people text[] := '{push,push_all,claim,done,fail,extend,give_back,messages,info,dead,'
        'dead_retry,dead_drop,tidy,permit,forbid}';
BEGIN
    PERFORM slipring.may(r.id, 'operate');
    IF coalesce(act, '') NOT IN ('produce', 'consume', 'operate') THEN
        RAISE EXCEPTION 'there is nothing to permit as ''%''; use produce, consume or operate',
            left(act, 80) USING ERRCODE = 'SLR05';
    ELSIF NOT EXISTS (SELECT FROM pg_roles x WHERE x.rolname = role) THEN
        RAISE EXCEPTION 'there is no role ''%''', role USING ERRCODE = 'undefined_object';
    END IF;
    -- PostgreSQL refuses two grants on one object at a time.
    PERFORM pg_advisory_xact_lock(slipring.lock_of('slipring permits'));
    INSERT INTO slipring.permit VALUES (r.id, role, act) ON CONFLICT DO NOTHING;
    EXECUTE format('GRANT USAGE ON SCHEMA slipring TO %I', role);
    -- Each of these that works on a ring asks slipring.may, so a role that can call them is not yet
    -- allowed to do anything. The functions that these call are not granted, as they believe what
    -- they are told.
    FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'slipring'::regnamespace
            AND p.proname = ANY (for_people) LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, role);
    END LOOP;
END $$;

-- Takes that back. Permits go by name: take them back before a role is dropped, as another role may
-- get its name.
CREATE FUNCTION slipring.forbid(ring text, role name, act text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
BEGIN
    PERFORM slipring.may(r.id, 'operate');
    DELETE FROM slipring.permit p WHERE p.ring = r.id AND p.role = forbid.role
        AND p.act = forbid.act;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'role ''%'' had no permit to ''%'' on ring ''%''', role, left(act, 80), ring
            USING ERRCODE = 'SLR05';
    END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA slipring FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA slipring FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA slipring FROM PUBLIC;
REVOKE ALL ON SCHEMA slipring FROM PUBLIC;
