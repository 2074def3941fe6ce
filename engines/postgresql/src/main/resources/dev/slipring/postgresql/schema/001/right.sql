-- SPDX-License-Identifier: Apache-2.0
-- Who may do what. --------------------------------------------------------------------------

CREATE TABLE slipring.permit (
    ring bigint NOT NULL REFERENCES slipring.ring ON DELETE CASCADE,
    role name NOT NULL,
    act  text NOT NULL CHECK (act IN ('produce', 'consume', 'operate')),
    PRIMARY KEY (ring, role, act)
);

-- The role that asks.
CREATE FUNCTION slipring.asker() RETURNS name LANGUAGE sql STABLE AS $$
    SELECT CASE current_setting('role') WHEN 'none' THEN session_user
        ELSE current_setting('role')::name END
$$;

-- Whether the role that asks may do one of these things on a ring. The owner of the schema may do
-- everything.
CREATE FUNCTION slipring.is_permitted(ring_id bigint, acts text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN pg_has_role(slipring.asker(), current_user, 'MEMBER') OR EXISTS (SELECT
        FROM slipring.permit p JOIN pg_roles x ON x.rolname = p.role
        WHERE p.ring = ring_id AND p.act = ANY (acts)
        AND pg_has_role(slipring.asker(), x.oid, 'MEMBER'));
END $$;

-- Refuses a role that may not do this.
--
-- The role that asks is the one that has connected, as these functions run with the rights of the
-- owner. But code of others may run in its session: that of an index of theirs, say, when this
-- role, or autovacuum, has their table analyzed. PostgreSQL calls that a restricted operation and
-- refuses in it everything that would outlast it. That includes UNLISTEN, which otherwise does
-- nothing here.
CREATE FUNCTION slipring.may(ring_id bigint, what text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    who name := slipring.asker();
    ring text;
BEGIN
    UNLISTEN slipring_nobody;
    IF slipring.is_permitted(ring_id, ARRAY[what, 'operate']) THEN
        RETURN;
    END IF;
    SELECT name INTO ring FROM slipring.ring WHERE id = ring_id;
    IF ring IS NULL THEN
        RAISE EXCEPTION 'role ''%'' may not create rings; that takes the rights of the schema''s'
            ' owner (GRANT owner TO role)', who USING ERRCODE = 'insufficient_privilege';
    END IF;
    RAISE EXCEPTION 'role ''%'' may not % on ring ''%''; ask its owner for: SELECT'
        ' slipring.permit(%, %, %)', who, what, ring, quote_literal(ring), quote_literal(who),
        quote_literal(what) USING ERRCODE = 'insufficient_privilege';
END $$;
