-- SPDX-License-Identifier: Apache-2.0
SELECT slipring.push('r', 'hello world');
SELECT claim FROM slipring.claim('r') \gset
SELECT slipring.done(:claim);
