-- SPDX-License-Identifier: Apache-2.0
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
