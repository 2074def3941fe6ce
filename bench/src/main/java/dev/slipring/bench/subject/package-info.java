// SPDX-License-Identifier: Apache-2.0
/**
 * The queues under test: rings, and the baselines beside which they are measured. A workload knows
 * none of them, it only sees a {@link dev.slipring.bench.subject.Subject}, so all do the same work.
 */
package dev.slipring.bench.subject;
