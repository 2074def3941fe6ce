-- SPDX-License-Identifier: Apache-2.0

-- Lets a role produce, consume or operate on a ring. --------------------------------------------

CREATE FUNCTION slipring.permit(ring text, role name, act text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    r slipring.ring := slipring.find(ring);
    f regprocedure;
BEGIN
    PERFORM slipring.may(r.id, 'operate');
    IF coalesce(act, '') NOT IN ('produce', 'consume', 'operate') THEN
        RAISE EXCEPTION 'there is nothing to permit as ''%''; use produce, consume or operate',
            left(act, 80) USING ERRCODE = 'SLR05';
    ELSIF NOT EXISTS (SELECT FROM pg_roles x WHERE x.rolname = role) THEN
        RAISE EXCEPTION 'there is no role ''%''', role USING ERRCODE = 'undefined_object';
    END IF;
    INSERT INTO slipring.permit VALUES (r.id, role, act) ON CONFLICT DO NOTHING;
    EXECUTE format('GRANT USAGE ON SCHEMA slipring TO %I', role);
    -- Each of these that works on a ring asks slipring.may, so to be able to call them is not yet
    -- to be allowed.
    FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'slipring'::regnamespace
            AND p.prosecdef AND p.proname <> 'fold_ring' AND p.proname !~ '^is_pushed_' LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, role);
    END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA slipring FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA slipring FROM PUBLIC;
REVOKE ALL ON SCHEMA slipring FROM PUBLIC;
