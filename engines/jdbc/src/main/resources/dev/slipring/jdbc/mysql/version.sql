-- SPDX-License-Identifier: Apache-2.0
-- Slipring on MariaDB and MySQL: the last script. It sets where ids of rings begin, and says
-- that the schema is complete.

-- Ids begin anywhere below 2^22. A process that lives on while the database is dropped and made
-- anew keeps what it knows of rings by their ids, and must not take the new rings for those.
INSERT IGNORE INTO slipring_id (kind, next) VALUES (1, FLOOR(RAND() * 4194304));

INSERT IGNORE INTO slipring_schema (id, version) VALUES (1, 1);
