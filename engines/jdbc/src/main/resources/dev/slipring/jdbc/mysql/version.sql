-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the schema is there. The last script of all.

INSERT IGNORE INTO slipring_id (kind, next) VALUES (1, 0);

INSERT IGNORE INTO slipring_schema (id, version) VALUES (1, 1);
