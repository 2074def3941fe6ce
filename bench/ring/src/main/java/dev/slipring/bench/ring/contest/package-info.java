// SPDX-License-Identifier: Apache-2.0
/** What is run: shapes, loads, and the systems' common seam. */
package dev.slipring.bench.ring.contest;
