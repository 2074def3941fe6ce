// SPDX-License-Identifier: Apache-2.0
/** What is run: shapes, loads, and the interface that all systems share. */
package dev.slipring.bench.ring.contest;
